import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Dataset } from "#lib/contract/datasets";
import type { Project } from "#lib/contract/projects";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { finish } from "./jobs.ts";
import { rentals } from "./rentals.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const denied = (message: string, details: object[] = []) => ({
  success: false,
  error: { code: "forbidden", message, requestId: "sent-by-a-test", details },
});
const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("imports a model without the rows with actuals whose file was removed", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/model?open=import`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Choose a CSV").setInputFiles(csv("actuals.csv", "a,b\n1,2\n"));
  await expect(dialog.getByText("actuals.csv")).toBeVisible();
  await dialog.getByRole("button", { name: "Remove the file" }).click();
  await expect(dialog.getByText("actuals.csv")).toHaveCount(0);
});

test("undoes the exclusion of suspicious columns", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Undo") });
  await data(page.request, "put", `/projects/${project.id}/dataset`, {
    fileData: Buffer.from(rentals()).toString("base64"),
    target: "cnt",
    timestamp: "time",
  });
  await page.goto(`/projects/${project.id}/data`);
  const exclude = page.getByRole("button", { name: "Exclude casual, registered" });
  await exclude.click();
  await expect(exclude).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(exclude).toBeVisible();
});

test("shows no error of a former file beside another file", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Files") });
  await page.goto(`/projects/${project.id}/data`);
  const file = page.getByLabel("Choose a CSV or Excel file");
  await file.setInputFiles(csv("first.csv", "price,sales\n1,2\n2,3\n3,4\n"));
  await page.getByLabel("Target").selectOption("sales");
  await page.route(`**/projects/${project.id}/dataset`, (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 422, json: denied("The first file is wrong.") })
      : route.fallback(),
  );
  await page.getByRole("button", { name: "Save dataset" }).click();
  const message = page.getByText("The first file is wrong.");
  await expect(message).toBeVisible();
  await file.setInputFiles(csv("second.csv", "price,sales\n1,2\n2,3\n3,5\n"));
  await expect(page.getByText("second.csv")).toBeVisible();
  await expect(message).toBeHidden();
});

test("reports a file that changed after it was chosen", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Changed") });
  const folder = mkdtempSync(path.join(tmpdir(), "forkcast-"));
  const name = path.join(folder, "sales.csv");
  try {
    writeFileSync(name, "price,sales\n1,2\n2,3\n3,4\n");
    // Chromium notices a change by the full second of the file's time.
    utimesSync(name, 1_700_000_000, 1_700_000_000);
    await page.goto(`/projects/${project.id}/data`);
    await page.getByLabel("Choose a CSV or Excel file").setInputFiles(name);
    await page.getByLabel("Target").selectOption("sales");
    await expect(page.getByRole("button", { name: "Save dataset" })).toBeEnabled();
    writeFileSync(name, "price,sales\n1,2\n2,3\n3,4\n4,5\n5,6\n");
    await page.getByRole("button", { name: "Save dataset" }).click();
    await expect(page.getByText("The file could not be read.")).toBeVisible();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("opens the advanced settings of a training if one is invalid", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/model?open=train`);
  const dialog = page.getByRole("dialog");
  const advanced = dialog.getByText("features, validation, hyperparameters");
  await advanced.click();
  await dialog.getByLabel("Held-out fraction").fill("0.9");
  await advanced.click();
  await expect(dialog.getByLabel("Held-out fraction")).toBeHidden();
  await dialog.getByRole("button", { name: "Start training" }).click();
  await expect(dialog.getByLabel("Held-out fraction")).toBeVisible();
  await expect(dialog.getByLabel("Held-out fraction")).toBeFocused();
});

test("shows which settings a seasonal naive forecast does not have", async ({ page, demo }) => {
  await page.goto(`/projects/${demo.project.id}/model?open=train`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Algorithm").selectOption("Seasonal naive");
  await dialog.getByText("features, validation, hyperparameters").click();
  await dialog.getByRole("button", { name: "Add a rolling window" }).click();
  await dialog.getByLabel("Always use the inputs").check();
  await dialog.getByLabel("Public holidays of").selectOption("Austria");
  await dialog.getByRole("button", { name: "Start training" }).click();
  await expect(dialog.getByText("Use this setting only with other algorithms")).toHaveCount(3);
});

test("trains classes after settings for numbers were entered", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Classes") });
  const days = Array.from({ length: 60 }, (_, day) => {
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},${day % 9},${Number(day % 9 > 4)}`;
  });
  const fileData = Buffer.from(`date,price,sold\n${days.join("\n")}\n`).toString("base64");
  const dataset = { fileData, target: "sold", timestamp: "date" };
  await data(page.request, "put", `/projects/${project.id}/dataset`, dataset);
  await page.goto(`/projects/${project.id}/model?open=train`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("features, validation, hyperparameters").click();
  await dialog.getByLabel("Lags of the target").fill("1, 2");
  await dialog.getByRole("button", { name: "Add a rolling window" }).click();
  await dialog.getByLabel("Always use the inputs").check();
  await dialog.getByLabel("Loss").selectOption("absolute");
  await dialog.getByLabel("L1 ratio").fill("0.5");
  await dialog.getByLabel("The numbers 0 and 1 are classes").check();
  await dialog.getByLabel("Algorithm").selectOption("Logistic regression");
  const training = page.waitForRequest(`**/projects/${project.id}/models/train`);
  await dialog.getByRole("button", { name: "Start training" }).click();
  expect((await training).postDataJSON()).toEqual({ algorithm: "ridge", task: "classification" });
  await expect(page.getByText("Training has started.")).toBeVisible();
});

test("keeps the time zone of a dataset that another file replaces", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Zone") });
  const path = `/projects/${project.id}/dataset`;
  const rows = ["2024-07-01", "2024-07-02", "2024-07-03"].map((day, at) => `${day} 00:00,${at}\n`).join("");
  const first = csv("first.csv", `time,sales\n${rows}`);
  const settings = { target: "sales", timestamp: "time", timezone: "Europe/Berlin" };
  await data(page.request, "put", path, { fileData: first.buffer.toString("base64"), ...settings });
  await page.goto(`/projects/${project.id}/data`);
  await page.getByRole("button", { name: "Replace" }).click();
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles(csv("second.csv", `time,sales\n${rows}2024-07-04 00:00,3\n`));
  await page.getByRole("button", { name: "Save dataset" }).click();
  await page.getByRole("button", { name: "Replace dataset" }).click();
  await expect(page.getByText("Saved 4 rows.")).toBeVisible();
  expect(await data<Dataset>(page.request, "get", path)).toMatchObject({
    timezone: "Europe/Berlin",
    lastTimestamp: "2024-07-03T22:00:00.000Z",
  });
});

test("uses an excluded column as the timestamp, and a category as the target", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Excluded") });
  await page.goto(`/projects/${project.id}/data`);
  const rows = "2024-01-01,1,2\n2024-01-02,2,3\n2024-01-03,3,4\n";
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles(csv("days.csv", `date,price,sales\n${rows}`));
  await page.getByLabel("Read sales as category").check();
  await page.getByLabel("Target").selectOption("sales");
  const timestamp = page.getByLabel("Timestamp");
  await timestamp.selectOption("None");
  await page.getByLabel("Exclude date").check();
  await timestamp.selectOption("date");
  await page.getByRole("button", { name: "Save dataset" }).click();
  await expect(page.getByText("Saved 3 rows.")).toBeVisible();
});

test("proposes values for the columns of a model that was trained while its page was open", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Columns") });
  const train = async (column: string) => {
    const rows = Array.from({ length: 40 }, (_, row) => `${row % 7},${3 * (row % 7)}`).join("\n");
    const fileData = Buffer.from(`${column},sales\n${rows}\n`).toString("base64");
    await data(page.request, "put", `/projects/${project.id}/dataset`, { fileData, target: "sales" });
    await finish(page.request, `/projects/${project.id}/models/train`, { algorithm: "ridge" });
  };
  await train("price");
  await page.goto(`/projects/${project.id}/model`);
  const form = page.getByRole("form", { name: "Input" });
  await expect(form.getByLabel("Price", { exact: true })).toHaveValue(/\d/);
  await train("visitors");
  await expect(form.getByLabel("Visitors", { exact: true })).toHaveValue(/\d/);
});

test("marks and focuses a missing target that is typed, because the file has many columns", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Wide") });
  await page.goto(`/projects/${project.id}/data`);
  const columns = Array.from({ length: 250 }, (_, at) => at);
  const rows = [1, 2, 3].map((row) => columns.map((at) => at + row).join()).join("\n");
  const names = columns.map((at) => `c${at}`).join();
  await page.getByLabel("Choose a CSV or Excel file").setInputFiles(csv("wide.csv", `${names}\n${rows}\n`));
  const target = page.getByLabel("Target");
  await expect(target).toHaveAttribute("list");
  const save = page.getByRole("button", { name: "Save dataset" });
  await save.click();
  await expect(target).toBeFocused();
  await expect(target).toHaveAccessibleDescription("Choose a target");
  await target.fill("c7");
  await save.click();
  await expect(page.getByText("Saved 3 rows.")).toBeVisible();
});

test("keeps entries of a trial prediction when the first scenario is generated", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Trial") });
  const path = `/projects/${project.id}`;
  const day = (row: number) => new Date(Date.UTC(2025, 0, 1 + row)).toISOString().slice(0, 10);
  const rows = Array.from({ length: 60 }, (_, row) => `${day(row)},${row % 7},${3 * (row % 7)}`).join("\n");
  const fileData = Buffer.from(`day,price,sales\n${rows}\n`).toString("base64");
  const roles = { target: "sales", timestamp: "day" };
  await data(page.request, "put", `${path}/dataset`, { fileData, ...roles });
  await finish(page.request, `${path}/models/train`, { algorithm: "ridge" });
  const { checkpointId } = await finish<{ checkpointId: string }>(page.request, `${path}/checkpoints`, {});
  await page.goto(`${path}/model`);
  const price = page.getByRole("form", { name: "Input" }).getByLabel("Price", { exact: true });
  await price.fill("2.5");
  const isRead = (url: string) => url.includes("/rows?") && url.includes("limit=1");
  const read = page.waitForResponse((response) => isRead(response.url()));
  await finish(page.request, `${path}/scenarios`, { title: "First", checkpointId, endDate: "2025-03-10" });
  await (await read).finished();
  await expect(price).toHaveValue("2.5");
});

test("starts a trial prediction with the first row of a generated scenario", async ({ page }) => {
  const { id } = await data<Project>(page.request, "post", "/projects", { name: unique("Trial") });
  const path = `/projects/${id}`;
  await data(page.request, "put", `${path}/dataset`, {
    fileData: Buffer.from(rentals()).toString("base64"),
    target: "cnt",
    timestamp: "time",
    exclude: ["casual", "registered", "instant"],
  });
  await finish(page.request, `${path}/models/train`, { algorithm: "ridge", features: { inputs: true } });
  await finish(page.request, `${path}/checkpoints`, { setAsDefault: true });
  const [checkpoint] = await data<{ id: string }[]>(page.request, "get", `${path}/checkpoints`);
  const generate = () =>
    finish<{ scenarioId: string }>(page.request, `${path}/scenarios`, {
      title: unique("Later"),
      checkpointId: checkpoint!.id,
      endDate: "2024-01-26",
    });
  const { scenarioId } = await generate();
  const rowsOf = `${path}/scenarios/${scenarioId}/rows?limit=1`;
  const { columns, rows } = await data<ScenarioRows>(page.request, "get", rowsOf);
  const expected = Number(rows[0]!.input[columns.findIndex(({ name }) => name === "temp")]);
  await page.goto(`${path}/model`);
  const temp = page.getByRole("form", { name: "Input" }).getByLabel("Temp", { exact: true });
  await expect(temp).toHaveValue(/\d/);
  expect(Number(await temp.inputValue())).toBeCloseTo(expected, 4);
  // Another scenario does not replace the user's entries.
  await temp.fill("2.5");
  const read = page.waitForResponse((response) => response.url().includes("limit=1&source=Generated"));
  await generate();
  await read;
  await expect(temp).toHaveValue("2.5");
});
