import { type CsvOptions, type CsvResult, readingOf } from "#lib/engine/csv/options";
import type { OpenFile, Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { appendToTable } from "./append-to-table.ts";
import { buildDataset } from "./build-dataset.ts";
import { compareVersions } from "./compare-versions.ts";
import { correctTable } from "./correct-table.ts";
import { type StoredDataset, storeDataset } from "./dataset-table.ts";
import { listSeriesOfTable } from "./list-series-of-table.ts";
import { pickTarget } from "./pick-target.ts";
import { readCsvFile } from "./read-csv-file.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { readRows } from "./read-rows.ts";
import { checkColumnsExist, csvOptionsOf, type DatasetSettings, valuesMaxOf } from "./settings.ts";
import { updateTable } from "./update-table.ts";

/** Tasks on dataset files. Tasks on large files run in threads. */
export const tasks = {
  make: buildAndStoreDataset,
  append: appendToTable,
  update: updateTable,
  check: readIssues,
  pickTarget,
  compare: compareVersions,
  correct: correctTable,
  rows: readRows,
  series: listSeriesOfTable,
  read: (options: CsvOptions, open: OpenFile) => readCsvFile(open, options),
} satisfies Tasks;

export const runDatasetTask = taskRunner(tasks, { module: "./dataset-tasks.ts", beside: import.meta.url });

/** Reads a file only for its issues. */
async function readIssues(
  options: CsvOptions,
  open: OpenFile,
): Promise<Pick<CsvResult, "header" | "issues" | "issueCount">> {
  const { header, issues, issueCount } = await readCsvFile(open, options);
  return { header, issues, issueCount };
}

/**
 * Builds a dataset from a file, and stores its columns in a folder of the artifact store.
 *
 * @throws {DomainError} validation_failed for settings that do not match the file, input_invalid with the first 100 issues of
 *   the file
 */
async function buildAndStoreDataset(
  { settings: asked, artifactKey }: { settings: DatasetSettings; artifactKey: string },
  open: OpenFile,
): Promise<StoredDataset> {
  const file = await readDatasetFile(
    open,
    { ...csvOptionsOf(asked), skipRows: asked.reading?.skipRows, encoding: asked.reading?.encoding },
    asked.exclude,
    valuesMaxOf(asked),
  );
  if (file.header.length > 0) checkColumnsExist(asked, file);
  const timestampColumns = asked.timestampColumns && (file.times?.columns ?? asked.timestampColumns);
  const settings = { ...asked, timestampColumns };
  const stored = await storeDataset(artifactKey, buildDataset(file, settings), {
    dateOrder: settings.dateOrder ?? file.dateOrder,
    reading: readingOf(file, settings),
  });
  return { ...stored, timestampColumns };
}
