import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Returns axe violations of WCAG 2.2 AA, one line each.
 *
 * @param options.within selector to check; the whole page without it
 * @param options.rule single rule to check
 */
export async function findings(
  page: Page,
  { within, rule }: { within?: string | undefined; rule?: string } = {},
): Promise<string[]> {
  // Legacy mode avoids opening a second page for frames, which these pages do not have. Only violations are reported.
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
