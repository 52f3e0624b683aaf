import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import type { TrackRecord } from "#lib/contract/track-record";
import { dailyDemand } from "#testing/sample-series";
import { findings } from "./axe.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

const lines = dailyDemand(260).trim().split("\n");
const days = (from: number, to: number) =>
  Buffer.from(`${[lines[0], ...lines.slice(1 + from, 1 + to)].join("\n")}\n`).toString("base64");

test("a planner sees how forecasts and overrides compare with what came", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Record") });
  const path = `/projects/${id}`;
  const send = (route: string, body: object) => data(page.request, "post", `${path}/${route}`, body);
  await data(page.request, "put", `${path}/dataset`, {
    fileData: days(0, 200),
    target: "demand",
    timestamp: "date",
  });
  await finish(page.request, `${path}/models/train`, {
    algorithm: "ridge",
    features: { lags: [] },
    horizon: 28,
  });
  await finish(page.request, `${path}/scenarios`, { title: "Plan", endDate: "2023-09-30" });
  const [scenario] = await data<Scenario[]>(page.request, "get", `${path}/scenarios`);

  await page.goto(`${path}/scenarios`);
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Track record" }).click();
  await expect(page.getByRole("heading", { name: "Nothing to compare yet" })).toBeVisible();
  await takePictures(page, "record-empty");

  const override = { operation: "add", value: 40, reason: "Fair in town" };
  const span = { from: "2023-07-24", to: "2023-07-30" };
  await send(`scenarios/${scenario!.id}/overrides`, { ...override, ...span });
  await send("dataset/rows", { fileData: days(200, 220) });
  await finish(page.request, `${path}/scenarios/${scenario!.id}/runs`, {});
  await send("dataset/rows", { fileData: days(220, 250) });

  // The page learns of the new rows by itself.
  const card = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  const forecasts = card("Forecasts and what came");
  await expect(forecasts).toContainText("80 predictions");
  await expect(forecasts).toContainText(/This is (better|worse) than the naive forecast/);
  await expect(forecasts).toContainText(/Too (high|low) in \d/);
  const record = await data<TrackRecord>(page.request, "get", `${path}/track-record`);
  expect(record.errors!.rows).toBe(80);
  const steps = card("By steps ahead");
  await expect(steps).toContainText("Predictions of 2 runs");
  await expect(steps.getByRole("row")).toHaveCount(record.horizons.length + 2);
  await expect(steps.getByRole("row", { name: /^3–4 steps/ })).toBeVisible();
  await expect(card("Over time").getByRole("row")).toHaveCount(record.periods.length + 2);
  const added = card("Effect of overrides");
  await expect(added).toContainText("Overrides made the forecast worse in");
  await expect(added.getByRole("row", { name: /^All overrides/ })).toContainText("7");
  await added.getByRole("button", { name: "Reasons" }).click();
  await expect(added.getByRole("row", { name: /Fair in town/ })).toBeVisible();
  await takePictures(page, "record");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await findings(page)).toEqual([]);
  }

  await page.goto(`${path}/scenarios/${scenario!.id}`);
  await expect(card("Overrides")).toContainText("Overrides made the forecast worse in");

  await finish(page.request, `${path}/scenarios`, { title: "Long plan", endDate: "2023-12-31" });
  const [other] = await data<Scenario[]>(page.request, "get", `${path}/scenarios`);
  const scenarioIds = [scenario!.id, other!.id];
  await send("comparisons", { name: "Autumn", scenarioIds });
  await page.goto(`${path}/scenarios/compare?ids=${scenarioIds.join(",")}`);
  await page.getByRole("button", { name: "Saved comparisons" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Record a decision on Autumn" }).click();
  await dialog.getByLabel("Chosen scenario").selectOption("Long plan");
  await dialog.getByRole("button", { name: "Record decision" }).click();
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await dialog.getByLabel("Reason").fill("Orders are placed until December");
  await takePictures(page, "decision-dialog");
  expect(await findings(page, { within: "[role=dialog]" })).toEqual([]);
  await dialog.getByRole("button", { name: "Record decision" }).click();
  await expect(dialog).toContainText("Decided for “Long plan”");
  await send("dataset/rows", { fileData: days(250, 260) });
  await page.goto(`${path}/record`);
  const decision = card("Decisions").getByRole("row", { name: /Orders are placed until December/ });
  await expect(decision).toContainText("Long plan");
  await expect(decision).toContainText("10 of 115 values");
  await takePictures(page, "decisions");
  expect(await findings(page)).toEqual([]);

  await page.route("**/track-record*", (route) => route.abort());
  await page.goto(`${path}/record`);
  await expect(page.getByRole("heading", { name: "Loading failed" })).toBeVisible({ timeout: 30_000 });
});
