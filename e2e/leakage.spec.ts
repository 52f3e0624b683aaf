import type { Dataset } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { findings } from "./axe.ts";
import { rentals } from "./rentals.ts";
import { data, expect, test, unique } from "./signed-in.ts";

test("warns about columns that add up to the target, and excludes them in two clicks before training", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Rentals") });
  await page.goto(`/projects/${project.id}/data`);
  await page
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "rentals.csv", mimeType: "text/csv", buffer: Buffer.from(rentals()) });
  await page.getByLabel("Target").selectOption("cnt");
  await expect(page.getByLabel("Timestamp")).toHaveValue("time");
  await page.getByRole("button", { name: "Save dataset" }).click();
  await expect(page.getByRole("figure").locator("canvas")).toHaveAttribute("data-lines", "1");

  const suspects = page.getByRole("region", { name: "Columns to check" });
  await expect(suspects).toContainText('"casual + registered" equals the target "cnt" in 600 of 600 rows.');
  await expect(suspects).toContainText('Column "instant" has 600 different values');
  await suspects.getByRole("button", { name: "Keep instant as input" }).click();
  await expect(suspects).toContainText("Confirmed as known before the target: instant");

  // A model with the columns is not praised.
  await page.getByRole("link", { name: "Train a model" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Exclude casual, registered" })).toBeVisible();
  // A week of hours.
  await expect(dialog.getByLabel("Forecast horizon in steps")).toHaveValue("168");
  await dialog.getByLabel("Algorithm").selectOption("ridge");
  await dialog.getByRole("button", { name: "Start training" }).click();
  await expect(page.getByText("too good to be true").first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText("% better")).toBeHidden();

  // First click: open the dialog. Second click: exclude.
  await page.getByRole("button", { name: "Train again" }).click();
  await dialog.getByRole("button", { name: "Exclude casual, registered" }).click();
  await expect(dialog.getByRole("button", { name: "Exclude casual, registered" })).toBeHidden();
  const { columns, confirmed } = await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`);
  expect(columns.filter(({ role }) => role === "excluded").map(({ name }) => name)).toEqual([
    "casual",
    "registered",
  ]);
  expect(confirmed).toEqual(["instant"]);
  // The dialog proposes the horizon of the last training, and sends what the user enters.
  await expect(dialog.getByLabel("Forecast horizon in steps")).toHaveValue("168");
  await dialog.getByLabel("Forecast horizon in steps").fill("24");
  await dialog.getByLabel("Algorithm").selectOption("ridge");
  await dialog.getByRole("button", { name: "Start training" }).click();
  await expect(page.getByText("less error than the naive forecast")).toBeVisible({ timeout: 120_000 });
  const model = await data<Model>(page.request, "get", `/projects/${project.id}/models/current`);
  expect(model.warnings).toEqual([]);
  expect(model.request).toMatchObject({ horizon: 24 });
  expect(model.inputFeatures.map(({ name }) => name)).not.toContain("casual");
  // Effects of the calendar and of earlier values have their own names.
  const importance = page.locator("section", {
    has: page.getByRole("heading", { name: "Feature importance" }),
  });
  await expect(importance.getByText(/^(hour|time|day) of (day|week)$/).first()).toBeVisible();
  await expect(importance.getByText("time", { exact: true })).toHaveCount(0);

  // The earlier model opens, is compared with the current one, and serves predictions again.
  const history = page.locator("section", { has: page.getByRole("heading", { name: "History" }) });
  const earlier = history.getByRole("row").nth(2);
  await earlier.getByRole("button", { name: "Ridge regression", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "Metrics" })).toBeVisible();
  expect(await findings(page, { within: "[role=dialog]" })).toEqual([]);
  await page.keyboard.press("Escape");
  for (const box of await history.getByRole("checkbox").all()) await box.check();
  await history.getByRole("button", { name: "Compare two models" }).click();
  await expect(dialog.getByRole("row", { name: /Only in this model: input features/ })).toContainText(
    "casual",
  );
  expect(await findings(page, { within: "[role=dialog]" })).toEqual([]);
  await page.keyboard.press("Escape");
  await earlier.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Create checkpoint" }).click();
  await dialog.getByLabel("Label").fill("The first one");
  await dialog.getByRole("button", { name: "Create checkpoint" }).click();
  await expect(earlier.getByText("saved as “The first one” (default)")).toBeVisible({ timeout: 60_000 });
});

test("excludes a stored column by its checkbox, and undoes it", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Columns") });
  await data<Dataset>(page.request, "put", `/projects/${project.id}/dataset`, {
    fileData: Buffer.from(rentals()).toString("base64"),
    fileName: "rentals.csv",
    target: "cnt",
    timestamp: "time",
    exclude: ["instant", "casual", "registered"],
  });
  await page.goto(`/projects/${project.id}/data`);
  await page.getByLabel("Use temp as input").uncheck();
  await page.getByRole("button", { name: "Save columns" }).click();
  const row = page.getByRole("row", { name: /temp/ });
  await expect(row.getByText("excluded")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row.getByText("input", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Use temp as input")).toBeChecked();
});
