import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * What axe finds against WCAG 2.2 AA, a line each.
 *
 * @param options.within only there; the whole page without it
 * @param options.rule only this one
 */
export async function findings(
  page: Page,
  { within, rule }: { within?: string; rule?: string } = {},
): Promise<string[]> {
  // The pages have no frames, for whose sake a second page would be opened each time; and what is well need not be told.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({
    runOnly: rule ? { type: "rule", values: [rule] } : { type: "tag", values: tags },
    resultTypes: ["violations"],
  });
  if (within) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}
