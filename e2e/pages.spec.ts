import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findings, sidewaysOverflow } from "./axe.ts";
import { expect, test } from "./signed-in.ts";

const sections = ["data", "model", "checkpoints", "scenarios", "jobs", "settings"];
/** 640 is 1280 at 200 %: what fits at 360 and at 768 fits there. */
const widths = [1280, 768, 360];
const screens = path.resolve(import.meta.dirname, "..", ".test-data", "screens");

type Figures = { scriptBytes: number; layoutShift: number };

/** Compressed bytes of the scripts that the page has loaded, and how far its content jumped. */
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

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page loads without errors, light and at rest, passes WCAG 2.2 AA checks and fits at every width, ${colorScheme}`, async ({
    page,
    demo,
  }) => {
    test.setTimeout(420_000);
    const faults: string[] = [];
    const figures: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    mkdirSync(screens, { recursive: true });
    await page.addInitScript(countLayoutShifts);
    await page.emulateMedia({ colorScheme });
    const { project, scenarios } = demo;
    const ids = scenarios.slice(0, 3).map(({ id }) => id);
    const at = `/projects/${project.id}`;
    const pages: Record<string, string> = {
      projects: "/projects",
      ...Object.fromEntries(sections.map((section) => [section, `${at}/${section}`])),
      scenario: `${at}/scenarios/${ids[0]}`,
      compare: `${at}/scenarios/compare?ids=${ids.join(",")}&baselineId=${ids[0]}`,
      audit: "/audit",
      docs: "/docs",
    };
    for (const [name, address] of Object.entries(pages)) {
      await page.setViewportSize({ width: widths[0]!, height: 800 });
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible({ timeout: 60_000 });
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
      expect(await findings(page), name).toEqual([]);
      const { scriptBytes, layoutShift } = await page.evaluate(readFigures);
      figures.push(
        `${name}: ${Math.round(scriptBytes / 1000)} kB of scripts, shift ${layoutShift.toFixed(3)}`,
      );
      expect(scriptBytes, `${name}: compressed scripts`).toBeLessThan(
        name === "projects" ? 230_000 : 480_000,
      );
      expect(layoutShift, `${name}: layout shift`).toBeLessThan(0.1);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysOverflow(page), `${name} at ${width}`).toEqual([]);
        await page.screenshot({
          path: path.join(screens, `${name}-${colorScheme}-${width}.jpg`),
          type: "jpeg",
          quality: 70,
          fullPage: name !== "docs",
        });
      }
      // The theme changes colours, the width changes what is there: one of the themes tells. The reference is long, and has
      // tests of its own.
      if (colorScheme === "dark" && name !== "docs")
        expect(await findings(page), `${name} at 360`).toEqual([]);
    }
    writeFileSync(path.join(screens, `figures-${colorScheme}.txt`), `${figures.join("\n")}\n`);
    expect(faults).toEqual([]);
  });
}
