import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startTcpProxy } from "#testing/tcp-proxy";
import { accessibilityScore } from "./accessibility-score.ts";
import { expect, test } from "./signed-in.ts";
import { performanceScore, readVitals, watchVitals } from "./vitals.ts";

const screens = path.resolve(import.meta.dirname, "..", ".test-data", "screens");

/** Lighthouse's network conditions for a desktop: 40 ms round trip, 10 Mbit/s. */
const desktopLine = { latencyMs: 20, bytesPerSecond: (10_240 * 1_024) / 8 };

test("keeps layout shift, script size and accessibility scores within limits on first load, and records timings", async ({
  page,
  demo,
  browser,
}) => {
  const { project, scenarios } = demo;
  const at = `/projects/${project.id}`;
  const ids = scenarios.slice(0, 3).map(({ id }) => id);
  const pages = {
    projects: "/projects",
    scenarios: `${at}/scenarios`,
    compare: `${at}/scenarios/compare?ids=${ids.join(",")}&baselineId=${ids[0]}`,
    scenario: `${at}/scenarios/${ids[0]}`,
  };
  const storageState = await page.context().storageState();
  const port = Number(new URL(process.env.E2E_BASE_URL!).port);
  const notes: string[] = [];
  for (const [name, address] of Object.entries(pages)) {
    // Uses a browser with an empty cache.
    const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
    const fresh = await context.newPage();
    // Avoids the browser's network emulation, which sometimes stalls.
    await using line = await startTcpProxy({ host: "127.0.0.1", port }, desktopLine);
    await watchVitals(fresh);
    await fresh.goto(`http://localhost:${line.port}${address}`);
    await expect(fresh.getByRole("heading", { level: 1 }).first()).toBeVisible({ timeout: 60_000 });
    await expect(fresh.getByRole("status", { name: "Loading" })).toHaveCount(0, { timeout: 60_000 });
    await fresh.waitForLoadState("networkidle");
    const vitals = await readVitals(fresh);
    const { firstPaint, largestPaint, blocking, shift, scriptBytes, allBytes } = vitals;
    const { score, applied, failed } = await accessibilityScore(fresh);
    notes.push(
      `${name}: score ${performanceScore(vitals).toFixed(0)}, accessibility ${Math.round(100 * score)} of ${applied} audits, first paint ${firstPaint.toFixed(0)} ms, largest ${largestPaint.toFixed(0)} ms, blocked ${blocking.toFixed(0)} ms, shift ${shift.toFixed(4)}, ${Math.round(scriptBytes / 1000)} kB of scripts, ${Math.round(allBytes / 1000)} kB in all`,
    );
    expect(score, `${name}: ${failed.join("; ")}`).toBeGreaterThanOrEqual(0.95);
    expect(shift, `${name}: layout shift`).toBeLessThan(0.01);
    expect(scriptBytes, `${name}: compressed scripts`).toBeLessThan(name === "projects" ? 200_000 : 350_000);
    await context.close();
  }
  mkdirSync(screens, { recursive: true });
  writeFileSync(path.join(screens, "vitals.txt"), `${notes.join("\n")}\n`);
});

test("stops loading animations with reduced motion", async ({ page, demo }) => {
  // The request never completes, so the page keeps its placeholders.
  await page.route("**/api/v1/projects/*/dataset", () => {});
  const running = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(`/projects/${demo.project.id}/data`);
  await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
  expect(await running()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(running).toBe(0);
});
