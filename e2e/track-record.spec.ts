import type { Locator } from "@playwright/test";
import type { OutlookPeriod } from "#lib/contract/outlook";
import type { Project } from "#lib/contract/projects";
import type { DecisionOutcome } from "#lib/contract/saved-comparisons";
import type { Scenario } from "#lib/contract/scenarios";
import type { TrackRecord } from "#lib/contract/track-record";
import { dailyDemand } from "#testing/sample-series";
import { findings } from "./axe.ts";
import { finish } from "./jobs.ts";
import { Planner, shows, workbookOf } from "./planner-clicks.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

const lines = dailyDemand(365).trim().split("\n");
const csvOf = (from: number, to: number) => `${[lines[0], ...lines.slice(1 + from, 1 + to)].join("\n")}\n`;
const days = (from: number, to: number) => Buffer.from(csvOf(from, to)).toString("base64");
// biome-ignore lint/performance/useDomNodeTextContent: the text content would join the lines of a cell
const textOf = (row: Locator) => row.innerText();
/** Days of 2023 until the ends of October, November and December. */
const [october, november, december] = [304, 334, 365];

test("a planner sees how forecasts and overrides compare with what came", async ({ page }) => {
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
  await finish(page.request, `${path}/models/train`, { algorithm: "mean", horizon: 28 });
  await finish(page.request, `${path}/scenarios/${scenario!.id}/runs`, { checkpointId: "current" });
  await send("dataset/rows", { fileData: days(220, 250) });

  // The page learns of the new rows by itself.
  const card = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  const forecasts = card("Forecasts and what came");
  await expect(forecasts).toContainText("110 predictions");
  await expect(forecasts).toContainText(/This is (better|worse) than the naive forecast/);
  await expect(forecasts).toContainText(/Too (high|low) in \d/);
  const record = await data<TrackRecord>(page.request, "get", `${path}/track-record`);
  expect(record.errors!.rows).toBe(110);
  const steps = card("By steps ahead");
  await expect(steps).toContainText("Predictions of 3 runs");
  await expect(steps.getByRole("row")).toHaveCount(record.horizons.length + 2);
  await expect(steps.getByRole("row", { name: /^3–4 steps/ })).toBeVisible();
  await expect(card("By checkpoint").getByRole("row")).toHaveCount(2);
  await expect(card("By checkpoint").getByRole("row").last()).toContainText("30");
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

test("forecasts, runs, overrides and decides a year's end in at most 25 clicks, with the same numbers everywhere", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Year's end") });
  const path = `/projects/${id}`;
  const get = <T>(part: string) => data<T>(page.request, "get", `${path}/${part}`);
  const planner = new Planner(page);
  const card = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  const dialog = page.getByRole("dialog");
  const file = "Choose a CSV or Excel file";

  // Data until October, a model, and the budget until the end of the year.
  await page.goto(`${path}/data`);
  await planner.pickFile(page.getByLabel(file), "until-october.csv", csvOf(0, october));
  await planner.choose(page.getByLabel("Target"), "demand");
  await planner.click(page.getByRole("button", { name: "Save dataset" }));
  await planner.click(page.getByRole("link", { name: "Train a model" }));
  await planner.click(dialog.getByRole("button", { name: "Start training" }));
  const newScenario = page.getByRole("link", { name: "New scenario" });
  await expect(newScenario).toBeVisible({ timeout: 120_000 });
  await planner.click(newScenario);
  await dialog.getByLabel("Title").fill("Budget");
  await dialog.getByLabel("End date").fill("2023-12-31");
  await dialog.getByLabel("End date").press("Enter");
  await expect(page.getByRole("heading", { name: "Budget Completed" })).toBeVisible({ timeout: 60_000 });
  const budget = (await get<Scenario[]>("scenarios"))[0]!;
  const ofBudget = `scenarios/${budget.id}`;

  /** Adds the actual values of a month. */
  const addMonth = async (from: number, to: number) => {
    await planner.click(card("Accuracy against actuals").getByRole("button", { name: "Add rows" }));
    await planner.pickFile(dialog.getByLabel(file), "month.csv", csvOf(from, to));
    await planner.click(dialog.getByRole("button", { name: "Add rows" }));
    await expect(page.getByText(`Added ${to - from} rows.`)).toBeVisible();
  };

  // November: run again, compare the runs, override Christmas week.
  await addMonth(october, november);
  await planner.click(page.getByRole("button", { name: "Run again" }).first());
  await planner.click(dialog.getByRole("button", { name: "Run 1 scenario" }));
  const compareRuns = card("Runs").getByRole("link", { name: "Compare 2 runs" });
  await expect(compareRuns).toBeVisible({ timeout: 60_000 });
  await planner.click(compareRuns);
  await expect(card("Summary").getByRole("link", { name: /^Run of / })).toHaveCount(2);
  await planner.back();
  await planner.click(card("Overrides").getByRole("button", { name: "Add override" }));
  await dialog.getByLabel("From").fill("2023-12-24");
  await dialog.getByLabel("To", { exact: true }).fill("2023-12-30");
  await dialog.getByLabel("Value").fill("150");
  await dialog.getByLabel("Reason").fill("Closed at Christmas");
  await dialog.getByLabel("Reason").press("Enter");
  await expect(card("Overrides").getByRole("row", { name: /Closed at Christmas/ })).toBeVisible();

  // December: read the year and the value added, plan with other prices, and decide.
  await addMonth(november, december);
  await planner.click(card("Outlook").getByRole("button", { name: "Years" }));
  const yearRow = card("Outlook").getByRole("row", { name: /^2023/ });
  const [year] = await get<OutlookPeriod[]>(`${ofBudget}/outlook?period=year`);
  expect(year).toMatchObject({ actualRows: december, forecastRows: 0 });
  await expect.poll(async () => shows(await textOf(yearRow), year!.total!)).toBe(true);
  await expect(card("Overrides")).toContainText(
    /Overrides made the forecast (better|worse) in \d of 2 weeks/,
  );
  await planner.click(page.getByRole("button", { name: "Adjust a copy" }));
  await planner.click(dialog.getByRole("button", { name: "Add a step" }));
  await dialog.getByLabel("Title").fill("Cautious");
  await dialog.getByLabel("Value").fill("1");
  await dialog.getByLabel("Value").press("Enter");
  await expect(page.getByRole("heading", { name: "Cautious Completed" })).toBeVisible({ timeout: 60_000 });
  await planner.click(page.getByRole("link", { name: "Compare", exact: true }));
  await planner.click(dialog.getByText("Budget"));
  await planner.click(dialog.getByRole("button", { name: "Done" }));
  await planner.click(page.getByRole("button", { name: "Saved comparisons" }));
  await dialog.getByLabel("Name of the shown comparison").fill("Year's end");
  await dialog.getByLabel("Name of the shown comparison").press("Enter");
  await planner.click(dialog.getByRole("button", { name: "Record a decision on Year's end" }));
  await dialog.getByLabel("Reason").fill("Orders are placed");
  await dialog.getByLabel("Reason").press("Enter");
  await expect(dialog).toContainText("Decided for “Cautious”");
  expect(planner.clicks).toBeLessThanOrEqual(25);
  await dialog.getByRole("button", { name: "Done" }).click();

  // Nothing is lost, and each number is the same in page, API and workbook.
  const runs = await get<{ id: string }[]>(`${ofBudget}/runs`);
  expect(runs).toHaveLength(2);
  const comparison = await workbookOf(page, async () => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "Excel workbook" }).click();
  });
  const [heads, ...outlooks] = comparison("Outlook");
  const exported = outlooks.find(
    ([title, unit, period]) => `${title} ${unit} ${period}` === "Budget Years 2023",
  )!;
  expect(Number(exported[heads!.indexOf("Total")])).toBe(year!.total);

  await page.goto(`${path}/record?scenario=${budget.id}`);
  const { overrides } = await get<TrackRecord>(`track-record?scenarioId=${budget.id}`);
  expect(overrides).toMatchObject({ rows: 7, reasons: [{ reason: "Closed at Christmas", rows: 7 }] });
  const all = card("Effect of overrides").getByRole("row", { name: /^All overrides/ });
  const { effective, calculated, baseline } = overrides!;
  const added = [effective.mae, calculated.mae, baseline.mae];
  for (const mae of added) expect(shows(await textOf(all), mae!)).toBe(true);
  const [decision] = await get<DecisionOutcome[]>("decisions");
  const decided = card("Decisions").getByRole("row", { name: /Orders are placed/ });
  for (const value of [decision!.total, decision!.actual])
    expect(shows(await textOf(decided), value!)).toBe(true);
  const record = await workbookOf(page, () => page.getByRole("button", { name: "Excel workbook" }).click());
  expect(record("Overrides")[1]!.slice(2).map(Number)).toEqual([7, ...added]);
  expect(record("Decisions")[1]!.slice(5).map(Number)).toEqual([
    ...[decision!.total, decision!.lower, decision!.upper, decision!.actual],
    ...[decision!.actualRows, decision!.rows],
  ]);
  await takePictures(page, "record-of-one");
  await page.getByLabel("Scenario", { exact: true }).selectOption("All scenarios");
  await expect(page).not.toHaveURL(/scenario=/);
});
