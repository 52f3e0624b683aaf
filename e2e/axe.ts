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

/** What sticks out sideways, of the page and of what is fixed over it; nothing where all fits. */
export function sidewaysOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const faults =
      root.scrollWidth > root.clientWidth ? [`the page by ${root.scrollWidth - root.clientWidth}`] : [];
    for (const dialog of document.querySelectorAll("[role=dialog], [role=menu]")) {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) faults.push("the dialog");
      for (const inner of dialog.querySelectorAll("*")) {
        const style = getComputedStyle(inner);
        // Tables scroll in frames of their own, and can be reached by keyboard there; what is cut by "…" is meant to be.
        if (!/^(auto|scroll)$/.test(style.overflowX) || inner.matches("[tabindex], pre, textarea")) continue;
        if (inner.scrollWidth > inner.clientWidth + 1) faults.push(`${inner.tagName}.${inner.className}`);
      }
    }
    return faults;
  });
}
