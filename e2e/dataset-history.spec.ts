import type { DatasetVersion } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import type { Project } from "#lib/contract/projects";
import { findings } from "./axe.ts";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

/** Thirty days, and the lines of a file with the first `count` of them. */
const days = Array.from({ length: 30 }, (_, at) => {
  const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
  return `${day},${at % 7},${20 + (at % 7)}`;
});
const file = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`day,temp,sales\n${lines.join("\n")}\n`),
});

test("replaces, adds, corrects and deletes rows, compares versions and undoes all of it", async ({
  page,
}) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("History") });
  const path = `/projects/${project.id}/dataset`;
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  const choose = async (chosen: ReturnType<typeof file>) => {
    await main.getByLabel("Choose a CSV or Excel file").setInputFiles(chosen);
    await main.getByLabel("Target").selectOption("sales");
    await main.getByRole("button", { name: "Save dataset" }).click();
  };

  await choose(file("january.csv", days.slice(0, 20)));
  await expect(main.getByRole("link", { name: "Train a model" })).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  // Replace asks, and Cancel changes nothing.
  await main.getByRole("button", { name: "Replace" }).click();
  await choose(file("wrong.csv", days.slice(0, 3)));
  await expect(dialog).toContainText("“january.csv” has 20 rows, “wrong.csv” has 3 rows.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await main.getByRole("button", { name: "Save dataset" }).click();
  await dialog.getByRole("button", { name: "Replace dataset" }).click();
  await expect(page.getByText("Saved 3 rows.")).toBeVisible();

  // Undo: the dialog says what the restore changes.
  const history = main.locator("section", { has: page.getByRole("heading", { name: "History" }) });
  await history.getByRole("button", { name: "Restore" }).click();
  await expect(dialog).toContainText("0 rows are removed, 17 added, 0 changed. 20 rows remain.");
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "restore");
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText(/^Restored the version of/)).toBeVisible();
  await expect(history.getByRole("row")).toHaveCount(4);

  // A value far outside needs one confirmation.
  await main.getByRole("button", { name: "Add rows" }).click();
  await dialog
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles(file("more.csv", [...days.slice(20, 22), "2024-01-23,1,2100"]));
  await expect(dialog.getByText("3 rows.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add rows" }).click();
  const question = page.getByRole("dialog", { name: "Add values far outside the known range?" });
  await expect(question).toContainText("goes up to 2100");
  await takePictures(page, "far");
  await question.getByRole("button", { name: "Add them anyway" }).click();
  await expect(page.getByText("Added 3 rows.")).toBeVisible();

  // The last ten rows are in sight. Correct one, and delete another one.
  const rows = main.locator("section", { has: page.getByRole("heading", { name: "Rows", exact: true }) });
  await expect(rows.getByRole("button", { name: /^Edit row/ })).toHaveCount(10);
  await rows.getByRole("button", { name: "Edit row 23" }).click();
  await dialog.getByLabel("sales").fill("many");
  await dialog.getByRole("button", { name: "Save row" }).click();
  await expect(dialog.getByRole("alert").first()).toContainText("Row 23");
  await dialog.getByLabel("sales").fill("21");
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "row");
  await dialog.getByRole("button", { name: "Save row" }).click();
  await expect(page.getByText("Corrected row 23.")).toBeVisible();
  await rows.getByRole("button", { name: "Edit row 22" }).click();
  await dialog.getByRole("button", { name: "Delete row" }).click();
  await expect(page.getByText("Deleted row 22.")).toBeVisible();
  await expect(rows.getByRole("button", { name: "Edit row 22" })).toBeVisible();
  await expect(rows.getByRole("button", { name: "Edit row 23" })).toBeHidden();
  // Messages fade, and the bar at the top would cover a button.
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0, { timeout: 20_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);
  await takePictures(page, "page");

  await history.getByRole("button", { name: "Compare" }).nth(1).click();
  await expect(dialog).toContainText("0 rows are removed, 0 added, 1 changed. 23 rows remain.");
  await expect(dialog.getByRole("listitem")).toContainText(["sales: 2,100 → 21"]);
  await takePictures(page, "compare");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const versions = await data<DatasetVersion[]>(page.request, "get", `${path}/versions`);
  expect(versions.map(({ change, rowCount }) => `${change} ${rowCount}`)).toEqual([
    ...["corrected 22", "corrected 23", "appended 23", "restored 20", "replaced 3", "replaced 20"],
  ]);
  await history.getByRole("button", { name: "Restore" }).nth(2).click();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(history.getByRole("row")).toHaveCount(8);
  expect(await data<Dataset>(page.request, "get", path)).toMatchObject({ rowCount: 20 });
  await history
    .getByRole("button", { name: /^Delete the version/ })
    .last()
    .click();
  await dialog.getByRole("button", { name: "Delete version" }).click();
  await expect(page.getByText(/^Deleted the version of/)).toBeVisible();
  await expect(history.getByRole("row")).toHaveCount(7);
  await data(page.request, "delete", `/projects/${project.id}`);
});
