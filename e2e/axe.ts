import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const modules = path.resolve(import.meta.dirname, "..", "node_modules");
/** Half as long as the package's main file, and parsed in half the time. */
const axeSource = readFileSync(path.join(modules, "axe-core", "axe.min.js"), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Runs axe in the page, which keeps it until it loads again: parsing it takes longer than a run. Only violations list
 * every element.
 *
 * @param within selector to check; the whole page without it
 * @param runOnly tags or names of rules to check; axe's default without them
 * @param without rule to leave out
 */
export async function runAxe(
  page: Page,
  within?: string,
  runOnly?: string[],
  without?: string,
): Promise<AxeResults> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const options: RunOptions = {
    resultTypes: ["violations"],
    ...(runOnly && { runOnly }),
    ...(without !== undefined && { rules: { [without]: { enabled: false } } }),
  };
  return page.evaluate(
    ([selector, options]) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      return axe.run(selector ?? document, options);
    },
    [within, options] as const,
  );
}

/**
 * Removes the sections and articles of a loaded page that are not in `kept`, because axe reads the whole page even to
 * check a part of it. The reference has 16,000 elements, on which a run takes seconds.
 */
export function keepOnly(page: Page, kept: string): Promise<void> {
  return page.evaluate((selector) => {
    const parts = [...document.querySelectorAll(selector)];
    for (const one of document.querySelectorAll("main section, main article")) {
      if (!parts.some((part) => part.contains(one) || one.contains(part))) one.remove();
    }
  }, kept);
}

/** Formats violations, one line each. */
export const violationLines = ({ violations }: Pick<AxeResults, "violations">): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);

/**
 * Returns violations of WCAG 2.2 AA, one line each.
 *
 * @param options.within selector to check; the whole page without it
 * @param options.rule single rule to check
 * @param options.without rule to leave out
 */
export async function findings(
  page: Page,
  {
    within,
    rule,
    without,
  }: { within?: string | undefined; rule?: string; without?: string | undefined } = {},
): Promise<string[]> {
  // The header lies on the content of a scrolled page, and hides a part of its controls.
  if (within === undefined) await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  return violationLines(await runAxe(page, within, rule ? [rule] : tags, without));
}
