import type { Warning } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import { checkAgainst, type ExpectedFeature, optionsFor } from "#lib/engine/csv/check-against";
import type { CsvWarning } from "#lib/engine/csv/issues";
import { checkAddedTimes } from "#lib/engine/csv/time-order";
import { datasetEnd, stepOfSeries } from "#lib/engine/features/resample";
import { numericValues } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import type { OpenFile } from "#lib/platform/threads/messages";
import { alignRows } from "./align-rows.ts";
import { datasetFromRows } from "./build-dataset.ts";
import { csvError } from "./csv-error.ts";
import { readTable, type StoredDataset, storeDataset } from "./dataset-table.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { csvOptionsOf, type DatasetSettings } from "./settings.ts";

type Appending = {
  /** Folder of the current dataset, its columns in file order, its warnings, and its last timestamp. */
  before: { artifactKey: string; header: string[]; warnings: Warning[]; lastTimestamp: number | null };
  settings: DatasetSettings;
  /** Folder of the new dataset. */
  artifactKey: string;
};

/**
 * Appends a file's rows to a stored dataset, and stores the result.
 *
 * @throws {DomainError} input_invalid with the first 100 issues of the CSV and their number
 */
export async function appendToTable(
  { before, settings, artifactKey }: Appending,
  open: OpenFile,
): Promise<StoredDataset> {
  const stored = await readTable(before.artifactKey);
  const added = await readAddedRows(open, before.lastTimestamp, stored, settings);
  const combined = concatTables([stored, alignRows(added.table, stored, settings)]);
  const built = datasetFromRows(combined, before.header, settings);
  // Excluded columns that could not be read are still not stored. Later changes of the settings need these warnings.
  const unread = before.warnings.filter(({ code }) => code === "excluded_column_unread");
  const warnings = [...unread, ...added.warnings, ...built.warnings];
  return storeDataset(artifactKey, { ...built, warnings }, settings.dateOrder ?? added.dateOrder);
}

async function readAddedRows(
  open: OpenFile,
  lastTimestamp: number | null,
  stored: Table,
  settings: DatasetSettings,
) {
  const { file, features } = await readWithStoredTypes(open, stored, settings);
  const { issues, issueCount, warnings } = checkAgainst(file, features);
  if (issueCount > 0) throw csvError({ issues, issueCount });
  const { timestampColumns, timezone } = settings;
  if (timestampColumns && lastTimestamp !== null) {
    const { column } = file.times!;
    const known = numericValues(stored, timestampColumns[0]!);
    const frequency = stepOfSeries(known, timezone, settings);
    const end = datasetEnd({ first: known[0]!, last: lastTimestamp, frequency }, timezone, settings);
    const added = numericValues(file.table, column);
    const times = checkAddedTimes(added, column, end);
    if (times.count > 0) throw csvError({ issues: times.issues, issueCount: times.count });
  }
  return {
    table: file.table,
    warnings: warnings.map(warningOfAppend),
    dateOrder: file.dateOrder,
  };
}

/** Reads the file with the dataset's types. If the hour column is absent, the first column holds complete times. */
async function readWithStoredTypes(open: OpenFile, stored: Table, settings: DatasetSettings) {
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
    const options = optionsFor(features, {
      ...csvOptionsOf(settings),
      categories: [],
      timestamp: times,
      absentHours: withHours ? undefined : hours,
    });
    return { features, file: await readDatasetFile(open, options, settings.exclude) };
  };
  const both = await read(true);
  const lacksHours = hours !== undefined && both.file.header.length > 0 && !both.file.header.includes(hours);
  return lacksHours ? read(false) : both;
}

function warningOfAppend({ code, column, message, rows }: CsvWarning): Warning {
  const text =
    code === "unknown_column" ? `The dataset has no column "${column}". The column is ignored.` : message;
  return { code, column, message: text, ...(rows === undefined ? {} : { rows }) };
}
