import { expect, test } from "vitest";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { findColumn } from "#lib/engine/table/columns";
import { testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";

const { db } = await createTestDatabase();

/** Values that look like numbers: of a category, and of a number with its own format. */
const rows = Array.from({ length: 60 }, (_, row) => [
  ["(1)", "(2)", "a", "1"][row % 4],
  row % 3 === 0 ? row : `(${row})`,
  row,
]);
const csvOf = (some: readonly (readonly unknown[])[]) =>
  `level,balance,y\n${some.map((row) => row.join(",")).join("\n")}\n`;
const numberFormats = [{ column: "balance", decimalMark: "." as const }];
const categories = ["level"];

test("appended rows and scenarios have the types of the dataset, although their values suggest others", async () => {
  const project = await createTrainedProject({ csv: csvOf(rows), target: "y", numberFormats, categories });
  const { projectId } = project;
  // Without the types, `level` would be a number, and `balance` a category.
  const csv = csvOf([
    ["1", "(7)", 1],
    ["1", "(8)", 2],
    ["(2)", "(9)", 3],
  ]);
  const content = (async function* () {
    yield Buffer.from(csv);
  })();
  const { uploadId } = await createUpload(testContext(), { projectId, content, isCsv: true });
  for (const file of [{ fileData: base64(csv) }, { uploadId }]) {
    const scenario = await createScenario(project, file);
    expect(scenario).toMatchObject({ status: "Completed", rowCount: 3, warnings: [{ column: "y" }] });
  }
  await appendRows(testContext(), { projectId, fileData: base64(csv) });
  const table = await readDatasetTable((await currentDataset(db, projectId))!);
  const level = findColumn(table, "level");
  if (level?.type !== "category") throw new Error("The column is no category.");
  expect([...level.codes.slice(-3)].map((code) => level.categories[code])).toEqual(["1", "1", "(2)"]);
  expect(findColumn(table, "balance")).toMatchObject({ type: "number" });
});
