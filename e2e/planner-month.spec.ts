import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import type { ScenarioRun } from "#lib/contract/scenario-runs";
import type { Scenario } from "#lib/contract/scenarios";
import { dailyDemand } from "#testing/sample-series";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const KNOWN = 200;
/** Days that pass until the actuals arrive. */
const PASSED = 28;
const csv = dailyDemand(KNOWN + PASSED);
const [head, ...days] = csv.trim().split("\n");
const fileOf = (name: string, rows: readonly string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`${[head, ...rows].join("\n")}\n`),
});

test("two planners forecast a month, add its actuals, train again, run the plan again, and read the former run", async ({
  page: ada,
  browser,
  session,
}) => {
  test.setTimeout(300_000);
  const { id } = await data<Project>(ada.request, "post", "/projects", { name: unique("A month") });
  const path = `/projects/${id}`;
  await data(ada.request, "put", `${path}/dataset`, {
    fileData: fileOf("history.csv", days.slice(0, KNOWN)).buffer.toString("base64"),
    target: "demand",
    timestamp: "date",
  });
  const training = { algorithm: "ridge", features: { lags: [] }, horizon: PASSED };
  await finish(ada.request, `${path}/models/train`, training);
  const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL!, storageState: session });
  const bo = await context.newPage();

  // Ada plans. Bo sees the new scenario without loading the page again.
  await bo.goto(`${path}/scenarios`);
  await ada.goto(`${path}/scenarios?open=new-scenario`);
  const dialog = ada.getByRole("dialog");
  await dialog.getByLabel("Title").fill("First plan");
  await dialog.getByRole("tab", { name: "Upload a CSV" }).click();
  const planned = days.slice(KNOWN).map((line) => line.split(",").slice(0, 2).join());
  await dialog.getByLabel("Choose a CSV or Excel file").setInputFiles({
    ...fileOf("plan.csv", []),
    buffer: Buffer.from(`date,price\n${planned.join("\n")}\n`),
  });
  await dialog.getByRole("button", { name: "Create scenario" }).click();
  await expect(ada.getByRole("heading", { name: "First plan Completed" })).toBeVisible({ timeout: 60_000 });
  await expect(bo.getByRole("row", { name: /First plan/ })).toContainText("Completed");
  const [first] = await data<Scenario[]>(ada.request, "get", `${path}/scenarios`);

  // Bo describes the scenario while Ada writes notes.
  await bo.getByRole("link", { name: "First plan" }).first().click();
  await bo.getByRole("button", { name: "Edit", exact: true }).click();
  await bo.getByRole("dialog").getByLabel("Description").fill("Prices as agreed in May");
  await ada.getByRole("button", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Notes").fill("Checked against last year");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(bo.getByRole("dialog").getByLabel("Description")).toHaveValue("Prices as agreed in May");
  await bo.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(bo.getByRole("dialog")).toBeHidden();
  expect(await data<Scenario>(ada.request, "get", `${path}/scenarios/${first!.id}`)).toMatchObject({
    title: "First plan",
    description: "Prices as agreed in May",
    notes: "Checked against last year",
  });

  // The month has passed: Bo adds its actuals. Both see how good the plan was.
  await bo.goto(`${path}/data`);
  await bo.getByRole("button", { name: "Add rows" }).click();
  const adding = bo.getByRole("dialog");
  await adding
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles(fileOf("actuals.csv", days.slice(KNOWN)));
  await adding.getByRole("button", { name: "Add rows" }).click();
  await expect(bo.getByText(`Added ${PASSED} rows.`)).toBeVisible();
  const actuals = ada.locator("section", { has: ada.getByRole("heading", { name: /actual/i }) }).first();
  await expect(actuals).toContainText(`${PASSED}`);

  // Bo trains again with the horizon of the last training, while Ada's page stays open.
  await bo.goto(`${path}/model`);
  await bo.getByRole("button", { name: "Train again" }).click();
  await expect(bo.getByRole("dialog").getByLabel("Forecast horizon in steps")).toHaveValue(String(PASSED));
  await bo.getByRole("dialog").getByLabel("Algorithm").selectOption("ridge");
  await bo.getByRole("dialog").getByRole("button", { name: "Start training" }).click();
  const current = async () => data<Model>(ada.request, "get", `${path}/models/current`);
  const before = (await current()).id;
  await expect.poll(async () => (await current()).id, { timeout: 60_000 }).not.toBe(before);

  // Ada runs the plan again with the current model.
  await ada.goto(`${path}/scenarios`);
  await ada.getByLabel("Select First plan", { exact: true }).check();
  await ada.getByRole("button", { name: "Run again" }).click();
  await expect(dialog.getByLabel("Checkpoint")).toHaveValue("");
  await dialog.getByRole("button", { name: "Run 1 scenario" }).click();
  await expect(ada.getByText("Running 1 scenario.")).toBeVisible();
  const scenario = `${path}/scenarios/${first!.id}`;
  const runs = async () => data<ScenarioRun[]>(ada.request, "get", `${scenario}/runs`);
  await expect
    .poll(async () => (await runs()).map(({ status }) => status), { timeout: 60_000 })
    .toEqual(["Completed", "Completed"]);
  const checkpoints = await data<Checkpoint[]>(ada.request, "get", `${path}/checkpoints`);
  expect(checkpoints).toHaveLength(2);

  // She reads the former run, and Bo opens the same link.
  await ada.goto(scenario);
  await ada.getByRole("button", { name: /^Show the run of/ }).click();
  for (const page of [ada, bo]) {
    if (page === bo) await bo.goto(ada.url());
    await expect(
      page.getByRole("status").filter({ hasText: /^run of .*, on checkpoint “A month/ }),
    ).toBeVisible();
    await expect(page.getByRole("figure").first().locator("canvas")).toBeVisible();
  }
  await bo.getByRole("button", { name: "Show the newest run" }).click();
  await expect(bo).toHaveURL(scenario);
  await ada.getByLabel("As of").fill("2020-01-01");
  await expect(ada.getByText("No run had completed by the end of 1 Jan 2020.")).toBeVisible();
  await context.close();
});
