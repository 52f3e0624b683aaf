import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { findings } from "./axe.ts";
import { expectToFit } from "./fits.ts";

/** Windows of a desktop, a tablet and a phone, in CSS pixels. */
export const windows = [1440, 1024, 390].map((width) => ({ width, height: 800 }));

const screens = path.resolve(import.meta.dirname, "..", ".test-data", "screens");
/** `SCREENS=1` keeps a picture of every page and dialog, theme and width. They take half of the test's time. */
const keepsScreens = process.env.SCREENS === "1";

type Theme = "light" | "dark";

async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const isDark = page.locator("html.dark");
  await expect(isDark).toHaveCount(colorScheme === "dark" ? 1 : 0);
}

/** Returns the places and sizes of all shown elements, relative to the part that they are in. */
const layoutOf = (page: Page, within = "body"): Promise<string> =>
  page.evaluate((selector) => {
    const boxes = [...document.querySelectorAll(selector)].flatMap((part) => {
      const origin = part.getBoundingClientRect();
      return [part, ...part.querySelectorAll("*")].map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const isShown = width > 0 || height > 0;
        return isShown && [left - origin.left, top - origin.top, width, height].map(Math.round);
      });
    });
    return JSON.stringify(boxes);
  }, within);

/**
 * Resizes the loaded page to each width, in both themes. Returns what does not fit and the violations of WCAG 2.2 AA,
 * one line each. Leaves the page in the light theme. A part that has the same layout at two widths is checked at one.
 *
 * @param options.within selector for axe; the whole page without it
 * @param options.whole whether pictures show the whole page instead of the window
 */
export async function inspect(
  page: Page,
  name: string,
  { within, whole = true }: { within?: string | undefined; whole?: boolean } = {},
): Promise<string[]> {
  const issues: string[] = [];
  const add = (width: number, theme: Theme, found: readonly string[]) =>
    issues.push(...found.map((issue) => `${name}, ${width}, ${theme}: ${issue}`));
  const keep = async (width: number, theme: Theme) => {
    if (!keepsScreens) return;
    mkdirSync(screens, { recursive: true });
    const file = path.join(screens, `${name.replaceAll(" ", "-")}-${theme}-${width}.png`);
    await page.screenshot({ path: file, fullPage: whole });
  };
  let layout = "";
  let theme: Theme = "light";
  await setTheme(page, theme);
  for (const window of windows) {
    const { width } = window;
    await expectToFit(page, name, [window]);
    const before = layout;
    layout = await layoutOf(page, within);
    if (layout === before && !keepsScreens) continue;
    // Colours take most of the time, and what a tablet shows is shown by one of the others as well.
    const isTablet = width === 1024;
    add(width, theme, await findings(page, { within, without: isTablet ? "color-contrast" : undefined }));
    await keep(width, theme);
    if (isTablet && !keepsScreens) continue;
    // The next width begins with this theme: a switch draws every chart again.
    theme = theme === "light" ? "dark" : "light";
    await setTheme(page, theme);
    add(width, theme, await findings(page, { within, rule: "color-contrast" }));
    await keep(width, theme);
  }
  await setTheme(page, "light");
  return issues;
}
