import type { Warning } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import { checkAgainst, type ExpectedFeature, optionsFor } from "#lib/engine/csv/check-against";
import { type CsvWarning, IssueList } from "#lib/engine/csv/issues";
import type { CsvResult } from "#lib/engine/csv/options";
import { createGrid } from "#lib/engine/features/grid";
import { seriesGrid } from "#lib/engine/features/resample";
import { numericValues } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import type { OpenFile } from "#lib/platform/threads/messages";
import { alignRows } from "./align-rows.ts";
import { describeDataset } from "./build-dataset.ts";
import { csvRefusal } from "./csv-refusal.ts";
import { readTable, type StoredDataset, storeDataset } from "./dataset-table.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { csvOptionsOf, type DatasetSettings } from "./settings.ts";

type Appending = {
  /** Folder of the present dataset, its columns in file order, and its last timestamp. */
  before: { artifactKey: string; header: string[]; lastTimestamp: number | null };
  settings: DatasetSettings;
  /** Folder of the new dataset. */
  artifactKey: string;
};

/**
 * Appends a file's rows to a stored dataset, and stores the result.
 *
 * @throws {DomainError} input_invalid with all issues of the CSV
 */
export async function appendToTable(
  { before, settings, artifactKey }: Appending,
  open: OpenFile,
): Promise<StoredDataset> {
  const stored = await readTable(before.artifactKey);
  const added = await readAddedRows(open, before.lastTimestamp, stored, settings);
  const joined = concatTables([stored, alignRows(added.table, stored, settings)]);
  const built = describeDataset(joined, before.header, settings);
  const warnings = [...added.warnings, ...built.warnings];
  return storeDataset(artifactKey, { ...built, warnings }, settings.dateOrder ?? added.dateOrder);
}

async function readAddedRows(
  open: OpenFile,
  lastTimestamp: number | null,
  stored: Table,
  settings: DatasetSettings,
) {
  const { file, features } = await readLike(open, stored, settings);
  const { issues, issueCount, warnings } = checkAgainst(file, features);
  if (issueCount > 0) throw csvRefusal({ issues, issueCount });
  const early =
    settings.timestampColumns && lastTimestamp !== null
      ? rowsNotAfter(file, lastTimestamp, endOfStep(lastTimestamp, stored, settings))
      : null;
  if (early !== null && early.count > 0) throw csvRefusal({ issues: early.issues, issueCount: early.count });
  return {
    table: file.table,
    warnings: warnings.map(appendWarning),
    dateOrder: file.times?.dateOrder ?? null,
  };
}

/** Reads the file with the dataset's types. A time that is joined from two columns may also be whole in the first. */
async function readLike(open: OpenFile, stored: Table, settings: DatasetSettings) {
  const [timestamp, hours] = settings.timestampColumns ?? [];
  const expected = (withHours: boolean) =>
    stored.columns
      .filter(({ name }) => withHours || name !== hours)
      .map(
        ({ name, type }): ExpectedFeature => ({
          name,
          type,
          role: name === timestamp ? "timestamp" : "input",
          required: !settings.exclude.includes(name),
          missingAllowed: name !== timestamp && name !== hours,
        }),
      );
  const read = async (withHours: boolean) => {
    const features = expected(withHours);
    const times = withHours ? settings.timestampColumns : (timestamp ?? null);
    const options = optionsFor(features, { ...csvOptionsOf(settings), categories: [], timestamp: times });
    return { features, file: await readDatasetFile(open, options, settings.exclude) };
  };
  const both = await read(true);
  const joined = hours !== undefined && both.file.header.length > 0 && !both.file.header.includes(hours);
  return joined ? read(false) : both;
}

function appendWarning({ code, column, message, rows }: CsvWarning): Warning {
  const text = code === "unknown_column" ? `The dataset has no column "${column}"; it is ignored.` : message;
  return { code, column, message: text, ...(rows === undefined ? {} : { rows }) };
}

/** Returns the start of the next step, if rows are joined into steps: a known step takes no more rows. */
function endOfStep(lastTimestamp: number, stored: Table, settings: DatasetSettings): number | null {
  const { resample, calendar, timezone, timestampColumns } = settings;
  if (resample === null) return null;
  const [first] = numericValues(stored, timestampColumns![0]!);
  const { indexOf, timeAt } = createGrid(seriesGrid(first!, timezone, { resample, calendar }));
  return timeAt(indexOf(lastTimestamp) + 1);
}

/** @param next start of the step after the dataset's last one, if rows are joined into steps */
function rowsNotAfter(file: CsvResult, last: number, next: number | null): IssueList {
  const issues = new IssueList(limits.errorDetails);
  const column = file.times!.column;
  const end = new Date(last).toISOString();
  numericValues(file.table, column).forEach((time, index) => {
    if (next === null ? time > last : time >= next) return;
    const value = new Date(time).toISOString();
    issues.add({
      row: index + 1,
      column,
      value,
      code: "timestamps_unsorted",
      message: `Row ${index + 1}, column "${column}": the time ${value} is not after ${end}, the last ${next === null ? "one" : "step"} of the dataset.`,
      expected: next === null ? `a time after ${end}` : `${new Date(next).toISOString()} or later`,
    });
  });
  return issues;
}
