import type { DatasetPart } from "#db/schema/datasets";
import type { Reading } from "#lib/contract/reading";
import type { Column, Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { checkAgainst, type ExpectedFeature, optionsFor } from "#lib/engine/csv/check-against";
import { farOutsideMessage, isFarOutside } from "#lib/engine/csv/far-outside";
import type { CsvWarning, IssueList } from "#lib/engine/csv/issues";
import type { CsvResult } from "#lib/engine/csv/options";
import { placeIssues } from "#lib/engine/csv/origin";
import { lacksParts } from "#lib/engine/csv/read-for-features";
import { checkAddedTimes } from "#lib/engine/csv/time-order";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import { datasetEnd, stepOfSeries } from "#lib/engine/features/resample";
import { numericValues } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import type { OpenFile } from "#lib/platform/threads/messages";
import { alignRows } from "./align-rows.ts";
import {
  checkAddedToPanel,
  newSeriesWarnings,
  openPanelEnd,
  type PanelEnd,
  withoutReplacedOfPanel,
} from "./append-to-panel.ts";
import { datasetFromRows } from "./build-dataset.ts";
import { csvError } from "./csv-error.ts";
import { readTable, type StoredDataset, storeDataset } from "./dataset-table.ts";
import { readDatasetFile } from "./read-dataset-file.ts";
import { csvOptionsOf, type DatasetSettings, valuesMaxOf } from "./settings.ts";

type Appending = {
  /** Folders of the current dataset, its columns in file order, its warnings, and the time of its last target. */
  before: { parts: DatasetPart[]; header: string[]; warnings: Warning[]; lastTimestamp: number | null };
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
  const stored = await readTable(before.parts);
  const panelEnd = settings.seriesColumns === null ? null : openPanelEnd(stored, settings);
  const end = panelEnd ?? before.lastTimestamp;
  const added = await readAddedRows(open, end, stored, settings);
  const rows = alignRows(added.table, stored, settings);
  const newSeries = panelEnd === null ? [] : newSeriesWarnings(rows, panelEnd, settings);
  const combined = concatTables([withoutReplaced(stored, rows, end, settings), rows]);
  const built = datasetFromRows(combined, before.header, settings);
  // Excluded columns that could not be read are still not stored. Later changes of the settings need these warnings.
  const unread = before.warnings.filter(({ code }) => code === "excluded_column_unread");
  const warnings = [...unread, ...added.warnings, ...newSeries, ...built.warnings];
  return storeDataset(
    artifactKey,
    { ...built, warnings },
    {
      // Only datasets without a stored reading take the order from later files.
      dateOrder: settings.dateOrder ?? (settings.reading === null ? added.dateOrder : null),
      reading: settings.reading as Reading | null,
    },
    { parts: before.parts, table: stored },
  );
}

/** Returns the stored rows without the planned ones in steps of added rows. */
function withoutReplaced(
  stored: Table,
  added: Table,
  end: number | PanelEnd | null,
  settings: DatasetSettings,
): Table {
  const [timestamp] = settings.timestampColumns ?? [];
  if (timestamp === undefined || end === null) return stored;
  if (typeof end === "object") return withoutReplacedOfPanel(added, end, settings);
  const times = numericValues(stored, timestamp);
  const { timezone } = settings;
  const frequency = stepOfSeries(times, timezone, settings);
  const stepOf =
    frequency === null ? (time: number) => time : createGrid(gridOf(times, { frequency, timezone })).indexOf;
  const replaced = new Set(numericValues(added, timestamp).map(stepOf));
  const kept = Int32Array.from(times.keys()).filter(
    (row) => times[row]! <= end || !replaced.has(stepOf(times[row]!)),
  );
  return kept.length === stored.rowCount ? stored : takeRows(stored, kept);
}

async function readAddedRows(
  open: OpenFile,
  end: number | PanelEnd | null,
  stored: Table,
  settings: DatasetSettings,
) {
  const { file, features } = await readWithStoredTypes(open, stored, settings);
  const { issues, issueCount, warnings } = checkAgainst(file, features);
  if (issueCount > 0) throw csvError({ issues, issueCount });
  if (settings.timestampColumns && end !== null) {
    const times = checkTimesAfter(file, end, stored, settings);
    if (times.count > 0)
      throw csvError({ issues: placeIssues(times.issues, file.origin), issueCount: times.count });
  }
  return {
    table: file.table,
    warnings: warnings.flatMap(warningOfAppend),
    dateOrder: file.dateOrder,
  };
}

/** @param file has times */
function checkTimesAfter(
  { table, times }: CsvResult,
  end: number | PanelEnd,
  stored: Table,
  settings: DatasetSettings,
): IssueList {
  const { column } = times!;
  if (typeof end === "object") return checkAddedToPanel(table, { ...end, timestamp: column }, settings);
  const known = numericValues(stored, settings.timestampColumns![0]!);
  const { timezone } = settings;
  const frequency = stepOfSeries(known, timezone, settings);
  const first = known[0]!;
  return checkAddedTimes(
    numericValues(table, column),
    column,
    datasetEnd({ first, last: end, frequency }, timezone, settings),
  );
}

/** Reads the file with the dataset's types. If the columns of the parts are absent, the first column holds complete times. */
async function readWithStoredTypes(open: OpenFile, stored: Table, settings: DatasetSettings) {
  const [timestamp, ...parts] = settings.timestampColumns ?? [];
  const expected = (withParts: boolean) =>
    stored.columns
      .filter(({ name }) => withParts || !parts.includes(name))
      .map((column): ExpectedFeature => {
        const { name, type } = column;
        return {
          name,
          type,
          ...rangeOf(column),
          role: name === timestamp ? "timestamp" : "input",
          required: !settings.exclude.includes(name),
          missingAllowed: ![...(settings.timestampColumns ?? []), ...(settings.seriesColumns ?? [])].includes(
            name,
          ),
        };
      });
  const read = async (withParts: boolean) => {
    const features = expected(withParts);
    const times = withParts ? settings.timestampColumns : (timestamp ?? null);
    const options = optionsFor(features, {
      ...csvOptionsOf(settings),
      categories: [],
      timestamp: times,
      absentHours: withParts ? undefined : parts[0],
    });
    return { features, file: await readDatasetFile(open, options, settings.exclude, valuesMaxOf(settings)) };
  };
  const both = await read(true);
  return lacksParts(both.file.header, parts) ? read(false) : both;
}

function rangeOf(column: Column): { min: number; max: number } | null {
  if (column.type !== "number") return null;
  let [min, max] = [Infinity, -Infinity];
  for (const value of column.values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : null;
}

function warningOfAppend(warning: CsvWarning): Warning[] {
  const { code, column, message, rows, firstRow, range } = warning;
  if (range !== undefined) {
    if (!isFarOutside(range)) return [];
    const text = farOutsideMessage({ column, rows, firstRow, range });
    return [{ code: "far_outside_range", column, message: text, rows, firstRow, range }];
  }
  const text =
    code === "unknown_column" ? `The dataset has no column "${column}". The column is ignored.` : message;
  return [{ code, column, message: text, ...(rows === undefined ? {} : { rows }) }];
}
