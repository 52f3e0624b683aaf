import { readFile } from "node:fs/promises";
import type { Project } from "#lib/contract/projects";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import type { Stability } from "#lib/contract/stability";
import { dailyDemand } from "#testing/sample-series";
import { findings } from "./axe.ts";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

test("a planner runs a scenario again, and compares both runs with the past before them", async ({
  page,
}) => {
  const [head, ...days] = dailyDemand(230).trim().split("\n");
  const csv = (from: number, to: number) =>
    Buffer.from(`${[head, ...days.slice(from, to)].join("\n")}\n`).toString("base64");
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Runs") });
  const path = `/projects/${id}`;
  const settings = { target: "demand", timestamp: "date" };
  await data(page.request, "put", `${path}/dataset`, { fileData: csv(0, 200), ...settings });
  const training = { algorithm: "ridge", features: { lags: [1, 7] }, horizon: 28 };
  await finish(page.request, `${path}/models/train`, training);
  await finish(page.request, `${path}/scenarios`, { title: "Plan" });
  const [scenario] = await data<Scenario[]>(page.request, "get", `${path}/scenarios`);
  const ofScenario = `${path}/scenarios/${scenario!.id}`;
  await data(page.request, "post", `${path}/dataset/rows`, { fileData: csv(200, 207) });
  const { runId } = await finish<{ runId: string }>(page.request, `${ofScenario}/runs`, {});

  const card = (name: string) =>
    page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  const lines = page.locator("canvas[data-lines]").first();

  await page.goto(ofScenario);
  const stability = await data<Stability>(page.request, "get", `${ofScenario}/stability`);
  expect(stability.rows).toBe(21);
  const moved = `${(100 * stability.relativeChange!).toFixed(1)} %`;
  await expect(card("Runs")).toContainText(`the forecast moved by ${moved} from run to run`);
  await expect(card("Runs").getByRole("row", { name: new RegExp(moved) })).toHaveCount(1);
  // The prediction, and the known values before it.
  await expect(lines).toHaveAttribute("data-lines", "2");
  await takePictures(page, "scenario-runs");
  expect(await findings(page)).toEqual([]);

  await card("Runs").getByRole("link", { name: "Compare 2 runs" }).click();
  await expect(page.getByRole("heading", { name: "Compare", exact: true })).toBeVisible();
  const names = [scenario!.id, runId].map((run) => `${scenario!.id}@${run}`);
  const found = await data<Comparison>(page.request, "get", `${path}/scenarios/compare?ids=${names.join()}`);
  expect(found.scenarios.map((one) => one.id)).toEqual(names);
  // Two runs and the actuals, which go on from the past.
  await expect(lines).toHaveAttribute("data-lines", "3");
  await expect(card("Summary").getByRole("link", { name: /^Run of / })).toHaveCount(2);
  const why = await data<Difference>(
    page.request,
    "get",
    `${ofScenario}/difference?run=${runId}&baselineId=${names[0]}`,
  );
  expect(why.parts.map(({ kind }) => kind)).toContain("history");
  await expect(card("Why they differ")).toContainText("History");
  await expect(page.getByRole("button", { name: "Edit inputs" })).toHaveCount(0);
  await takePictures(page, "compared-runs");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await findings(page)).toEqual([]);
  }

  const file = async (item: RegExp) => {
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item }).click(),
    ]);
    return readFile(await download.path());
  };
  const header = (await file(/^CSV, all points/)).toString().split("\r\n")[0]!;
  expect(header.match(/Plan \(run of [-\d]+ [:\d]+ UTC\)/g)!.length).toBeGreaterThan(2);
  expect((await file(/^Excel/)).subarray(0, 2).toString()).toBe("PK");

  await page.getByRole("checkbox", { name: "Past" }).uncheck();
  await expect(page).toHaveURL(/[?&]past=false/);
  const points = page.getByRole("figure").first().getByRole("slider");
  await expect(points).toHaveAttribute("aria-valuemax", "34");
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "Past" })).not.toBeChecked();
  await page.getByRole("checkbox", { name: "Past" }).check();
  await expect(points).toHaveAttribute("aria-valuemax", "69");

  // The former run opens from the table, and another run can be chosen beside it.
  await card("Summary")
    .getByRole("link", { name: /^Run of / })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`run=${scenario!.id}`));
  await expect(page.getByRole("button", { name: "Show the newest run" })).toBeVisible();
});
