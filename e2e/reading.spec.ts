import type { Dataset } from "#lib/contract/datasets";
import type { Project } from "#lib/contract/projects";
import { WORKBOOK_TYPE } from "#lib/contract/reading";
import { type Cell, styled, workbook } from "#testing/workbooks";
import { findings } from "./axe.ts";
import { data, expect, test, unique } from "./signed-in.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const two = (value: number) => String(value).padStart(2, "0");

test("offers each way to read a file as a button, with what it makes of real cells", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Readings") });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  const choose = (buffer: Buffer) =>
    main
      .getByLabel("Choose a CSV or Excel file")
      .setInputFiles({ name: "sales.csv", mimeType: "text/csv", buffer });
  const rows = Array.from({ length: 24 }, (_, row) => {
    const units = 900 + row * 20;
    const grouped =
      units < 1000 ? String(units) : `${Math.floor(units / 1000)}.${String(units % 1000).padStart(3, "0")}`;
    return `${2020 + Math.floor(row / 12)}${two((row % 12) + 1)};K\u00f6ln;${row === 5 ? "-999" : row % 7};${grouped}`;
  });
  await choose(
    latin1(["Sales of the region", "", "period;city;temp;units", ...rows, "Source: office"].join("\r\n")),
  );

  await main.getByRole("button", { name: "3 period;city;temp;units" }).click();
  await expect(main.getByText("25 rows, 4 columns")).toBeVisible();
  await main.getByRole("button", { name: "Leave out row 25" }).click();
  await expect(main.getByText("24 rows, 4 columns")).toBeVisible();
  await expect(main.getByText(/It is read as windows-1252/).first()).toBeVisible();
  await main.getByLabel("Target").selectOption("units");
  await expect(main.getByText("1.000 → 1000")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await main.getByRole("button", { name: "Groups of three digits" }).click();
  await main.getByRole("button", { name: "Read -999 as missing" }).click();
  await main.getByLabel("Timestamp").selectOption("period");
  await expect(main.getByText("frequency: monthly")).toBeVisible();
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(main.getByRole("button", { name: "Save dataset" })).toBeHidden();

  const dataset = await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`);
  expect(dataset).toMatchObject({
    rowCount: 24,
    frequency: "P1M",
    firstTimestamp: "2020-01-01T00:00:00.000Z",
    missing: ["-999"],
    reading: {
      encoding: "windows-1252",
      headerRow: 3,
      timestampFormat: "YYYYMM",
      skipRows: [25],
      columnFormats: { units: "grouped-point" },
    },
  });
  expect(dataset.columns.find(({ name }) => name === "units")).toMatchObject({ min: 900, max: 1360 });
  await data(page.request, "delete", `/projects/${project.id}`);
});

test("proposes the order of the rows for an index, and asks for an ambiguous timestamp", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Index") });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  const choose = (cell: (row: number) => string) =>
    main.getByLabel("Choose a CSV or Excel file").setInputFiles({
      name: "rows.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        ["t,y", ...Array.from({ length: 12 }, (_, row) => `${cell(row + 1)},${row % 5}`)].join("\n"),
      ),
    });
  await choose(String);
  await main.getByLabel("Timestamp").selectOption("t");
  await main.getByRole("button", { name: "Rows in the order of the file" }).click();
  await expect(main.getByLabel("Timestamp")).toHaveValue("");
  await choose((row) => `2020${two(row)}`);
  await main.getByLabel("Timestamp").selectOption("t");
  await expect(main.getByText("202002 → 2020-02-01")).toBeVisible();
  await main.getByRole("button", { name: /^Weeks/ }).click();
  await expect(main.getByText("frequency: weekly")).toBeVisible();
  await expect(main.getByText("Timestamp: YYYYWW")).toBeVisible();
  await choose((row) => String(45_000 + row));
  await main.getByLabel("Timestamp").selectOption("t");
  await main.getByLabel("Format of the times").selectOption("spreadsheet-days");
  await expect(main.getByText("frequency: daily")).toBeVisible();
  await choose((row) => String(1_704_067_200 + row * 86_400));
  await main.getByLabel("Timestamp").selectOption("t");
  await main.getByLabel("Format of the times").selectOption("epoch-seconds");
  await expect(main.getByText("frequency: daily")).toBeVisible();
  await data(page.request, "delete", `/projects/${project.id}`);
});

const months = Array.from({ length: 24 }, (_, at) => `${2022 + Math.floor(at / 12)}-${two((at % 12) + 1)}`);

test("turns months as columns into rows, and adds the next months of a wider file", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Wide") });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  const csv = (names: string[], value: (at: number) => unknown) =>
    Buffer.from(`plant;unit;${names.join(";")}\nRhine;MWh;${names.map((_, at) => value(at)).join(";")}`);
  await main
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "plants.csv", mimeType: "text/csv", buffer: csv(months, (at) => 100 + at) });
  await expect(main.getByText(/^24 columns are times, from "2022-01" to "2023-12"/).first()).toBeVisible();
  await expect(main.getByText("2022-01: 100 → 2022-01, 100")).toBeVisible();
  await main.getByRole("button", { name: "Turn 24 columns into rows" }).click();
  await expect(main.getByText("24 rows, 4 columns, frequency: monthly.")).toBeVisible();
  await expect(main.getByLabel("Target")).toHaveValue("value");
  await expect(main.getByText("Columns turned into rows: 2022-01 to 2023-12")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await main.getByRole("button", { name: "Undo Columns turned into rows: 2022-01 to 2023-12" }).click();
  await expect(main.getByText("1 row, 26 columns")).toBeVisible();
  await main.getByRole("button", { name: "Turn 24 columns into rows" }).click();
  await expect(main.getByText("24 rows, 4 columns, frequency: monthly.")).toBeVisible();
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(main.getByRole("button", { name: "Save dataset" })).toBeHidden();

  await main.getByRole("button", { name: "Add rows" }).click();
  const dialog = page.getByRole("dialog");
  const later = ["2024-01", "2024-02"];
  await dialog
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "later.csv", mimeType: "text/csv", buffer: csv(later, () => "much") });
  await expect(dialog.getByRole("cell", { name: "2024-02", exact: true })).toBeVisible();
  await dialog
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "later.csv", mimeType: "text/csv", buffer: csv(later, (at) => 124 + at) });
  await expect(dialog.getByText("2 rows.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add rows" }).click();
  await expect(dialog).toBeHidden();
  const dataset = await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`);
  expect(dataset).toMatchObject({
    rowCount: 26,
    frequency: "P1M",
    lastTimestamp: "2024-02-01T00:00:00.000Z",
    target: "value",
    reading: { shape: { kind: "wide", times: months, valueName: "value" } },
  });
  await data(page.request, "delete", `/projects/${project.id}`);
});

test("reads the sheet of a workbook that the user chooses, with dates by type", async ({ page }) => {
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Workbook") });
  await page.goto(`/projects/${project.id}/data`);
  const main = page.getByRole("main");
  const rows: Cell[][] = Array.from({ length: 30 }, (_, at) => [
    styled(45_292 + at, 1),
    at % 7,
    0.985 + at / 100,
  ]);
  const sheets = {
    Notes: [["Contact"], ["office"]],
    Sales: [["Sales of 2024"], ["day", "shift", "sold"], ...rows],
  };
  const buffer = Buffer.from(workbook({ sheets, formats: ["dd.mm.yyyy"] }));
  await main
    .getByLabel("Choose a CSV or Excel file")
    .setInputFiles({ name: "sales.xlsx", mimeType: WORKBOOK_TYPE, buffer });
  await main.getByLabel("Sheet").selectOption("Sales");
  await main.getByRole("button", { name: "2 day, shift, sold" }).click();
  await expect(main.getByText("30 rows, 3 columns, frequency: daily.")).toBeVisible();
  await expect(main.getByText("2024-01-01 00:00").first()).toBeVisible();
  await main.getByLabel("Target").selectOption("sold");
  expect(await findings(page)).toEqual([]);
  await main.getByRole("button", { name: "Save dataset" }).click();
  await expect(main.getByRole("button", { name: "Save dataset" })).toBeHidden();
  const dataset = await data<Dataset>(page.request, "get", `/projects/${project.id}/dataset`);
  expect(dataset).toMatchObject({
    rowCount: 30,
    fileName: "sales.xlsx",
    frequency: "P1D",
    timestamp: ["day"],
    reading: { sheet: "Sales", headerRow: 2, timestampFormat: "iso" },
  });
  expect(dataset.columns.find(({ name }) => name === "sold")).toMatchObject({ min: 0.985, max: 1.275 });
  await data(page.request, "delete", `/projects/${project.id}`);
});
