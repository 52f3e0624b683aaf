import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { keepOnly } from "./axe.ts";
import { expectToFit, misfits, smallWindows } from "./fits.ts";
import { inspect, windows } from "./inspect.ts";
import { expect, signedOut, test } from "./signed-in.ts";

const sections = ["data", "model", "checkpoints", "scenarios", "record", "jobs", "settings"];
/** Parts of the reference for axe, which have the components of all others. */
const checkedParts = "section#introduction, article#createScenario, section#objects article:first-of-type";
const screens = path.resolve(import.meta.dirname, "..", ".test-data", "screens");

type Figures = { scriptBytes: number; layoutShift: number };

/** Compressed bytes of the page's scripts, and its cumulative layout shift. */
const readFigures = (): Figures => ({
  scriptBytes: performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  layoutShift: (window as unknown as { layoutShift: number }).layoutShift,
});

const countLayoutShifts = () => {
  const page = window as unknown as { layoutShift: number };
  page.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) page.layoutShift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
};

/** Scrolls to charts that load on visibility. */
async function seeAll(page: Page): Promise<void> {
  const unseen = page.locator("main [class^=min-h-]:empty");
  await expect(async () => {
    await unseen.evaluateAll(([first]) => first?.scrollIntoView());
    await expect(unseen).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect(page.locator("main .animate-pulse")).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, 0));
}

/** Returns the text colour. */
const inkOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ink"));

test("prints the content in the light theme, no wider than the sheet", async ({ page, demo }) => {
  const { project, scenarios } = demo;
  const ids = scenarios.slice(0, 3).map(({ id }) => id);
  const at = `/projects/${project.id}/scenarios`;
  for (const address of [`${at}/${ids[0]}`, `${at}/compare?ids=${ids.join(",")}`]) {
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(address);
    const light = await inkOf(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => inkOf(page)).not.toBe(light);
    await expect(page.locator("canvas[data-lines]").first()).toBeVisible({ timeout: 60_000 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    // A4 sheet minus margins.
    await page.setViewportSize({ width: 702, height: 1_000 });
    await expect(page.getByRole("navigation", { name: "Project" })).toBeHidden();
    await expect(page.getByText(project.name).first()).toBeVisible();
    await expect.poll(() => misfits(page), address).toEqual([]);
    expect(await inkOf(page)).toBe(light);
  }
});

test("loads every page without errors, fits every width and 200 % zoom, and passes WCAG 2.2 AA in both themes", async ({
  page,
  demo,
}) => {
  test.setTimeout(420_000);
  const issues: string[] = [];
  const figures: string[] = [];
  page.on("pageerror", (error) => issues.push(String(error)));
  page.on("console", (message) => message.type() === "error" && issues.push(message.text()));
  await page.addInitScript(countLayoutShifts);
  const { project, scenarios } = demo;
  const ids = scenarios.slice(0, 3).map(({ id }) => id);
  const at = `/projects/${project.id}`;
  const pages: Record<string, string> = {
    projects: "/projects",
    ...Object.fromEntries(sections.map((section) => [section, `${at}/${section}`])),
    scenario: `${at}/scenarios/${ids[0]}`,
    compare: `${at}/scenarios/compare?ids=${ids.join(",")}&baselineId=${ids[0]}`,
    audit: "/audit",
    account: "/account",
    docs: "/docs",
  };
  for (const [name, address] of Object.entries(pages)) {
    await page.setViewportSize(windows[0]!);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    const { scriptBytes, layoutShift } = await page.evaluate(readFigures);
    figures.push(`${name}: ${Math.round(scriptBytes / 1000)} kB of scripts, shift ${layoutShift.toFixed(3)}`);
    expect(scriptBytes, `${name}: compressed scripts`).toBeLessThan(name === "projects" ? 200_000 : 350_000);
    expect(layoutShift, `${name}: layout shift`).toBeLessThan(0.1);
    await seeAll(page);
    await expectToFit(page, name, smallWindows);
    if (name === "docs") {
      await expectToFit(page, name, windows);
      await keepOnly(page, checkedParts);
    }
    issues.push(...(await inspect(page, name)));
  }
  mkdirSync(screens, { recursive: true });
  writeFileSync(path.join(screens, "figures.txt"), `${figures.join("\n")}\n`);
  expect(issues).toEqual([]);
});

test("inspects the pages that need no session", async ({ browser }) => {
  const context = await browser.newContext({ storageState: signedOut });
  const page = await context.newPage();
  const pages = [
    ["sign in", "/login", "Sign in"],
    ["not found", "/nothing/here", "Page not found"],
  ] as const;
  for (const [name, address, heading] of pages) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    expect(await inspect(page, name)).toEqual([]);
  }
  await context.close();
});
