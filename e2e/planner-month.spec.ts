import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
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

test("two planners forecast a month, add its actuals, train again, and compare the plans", async ({
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

  // Ada runs the plan again with the current model, and compares both plans.
  await ada.goto(`${path}/scenarios`);
  await ada.getByLabel("Select First plan", { exact: true }).check();
  await ada.getByRole("button", { name: "Run again" }).click();
  await expect(dialog.getByLabel("Checkpoint")).toHaveValue("");
  await dialog.getByRole("button", { name: "Run 1 scenario" }).click();
  await expect(ada.getByText("Running 1 scenario.")).toBeVisible();
  const rerun = ada.getByRole("row", { name: /First plan, A month/ });
  await expect(rerun).toContainText("Completed", { timeout: 60_000 });
  const checkpoints = await data<Checkpoint[]>(ada.request, "get", `${path}/checkpoints`);
  expect(checkpoints).toHaveLength(2);
  await rerun.getByRole("checkbox").check();
  const original = ada.getByLabel("Select First plan", { exact: true });
  if (!(await original.isChecked())) await original.check();
  await ada.getByRole("link", { name: "Compare 2" }).click();
  const chart = ada.getByRole("figure").first();
  await expect(chart.locator("canvas")).toHaveAttribute("data-lines", /^[23]$/);
  await expect(ada.getByRole("heading", { name: "Why they differ" })).toBeVisible();

  // Bo opens the same link.
  await bo.goto(ada.url());
  const summary = (await ada.getByRole("table").first().textContent())!;
  await expect(bo.getByRole("table").first()).toHaveText(summary);
  await context.close();
});
