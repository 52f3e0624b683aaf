import type { Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Runs axe in the page, which keeps it until it loads again: parsing it takes longer than a run. Only violations list
 * every element.
 *
 * @param within selector to check; the whole page without it
 * @param runOnly rules to check; axe's default without it
 */
export async function runAxe(
  page: Page,
  within?: string,
  runOnly?: RunOptions["runOnly"],
): Promise<AxeResults> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ["violations"], ...(runOnly && { runOnly }) };
  return page.evaluate(
    ([selector, options]) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      return axe.run(selector ?? document, options);
    },
    [within, options] as const,
  );
}

/** Formats violations, one line each. */
export const violationLines = ({ violations }: Pick<AxeResults, "violations">): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);

/**
 * Returns violations of WCAG 2.2 AA, one line each.
 *
 * @param options.within selector to check; the whole page without it
 * @param options.rule single rule to check
 */
export async function findings(
  page: Page,
  { within, rule }: { within?: string | undefined; rule?: string } = {},
): Promise<string[]> {
  const runOnly = rule ? { type: "rule" as const, values: [rule] } : { type: "tag" as const, values: tags };
  return violationLines(await runAxe(page, within, runOnly));
}
