import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import type { ExpectedFeature } from "#lib/engine/csv/check-against";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { type CsvWarning, type Issue, shorten } from "#lib/engine/csv/issues";
import type { CsvColumn, CsvOptions, CsvResult } from "#lib/engine/csv/options";
import { outsideTraining } from "#lib/engine/csv/outside-training";
import { type ColumnProfile, profileColumn } from "#lib/engine/csv/profile";
import { proposeTimes } from "#lib/engine/csv/propose-parts";
import { readForFeatures } from "#lib/engine/csv/read-for-features";
import { proposeResampling, resampleSeries, stepOfSeries } from "#lib/engine/features/resample";
import type { FileColumn } from "./propose-columns.ts";
import { readFile, shownLines } from "./read-file.ts";
import type { Reading } from "./reading.ts";
import { chosenSeries, withTimeIssues } from "./time-issues.ts";

/** Values of a column outside the known range. */
export type ColumnOutside = {
  rows: number;
  /** First unknown categories, and their number. */
  unseen: string[];
  unseenCount: number;
};

type PreviewedColumn = ColumnProfile & { outside: ColumnOutside | null };

/** Preview of a file; its size does not depend on the number of rows. */
export type CsvPreview = {
  header: string[];
  columns: CsvColumn[];
  /** Number of rows checked: all rows, or the first ones if `isWhole` is false. */
  rowCount: number;
  /** Number of rows after joining into steps; null if they are not joined. `firstRows` and `profile` describe the joined rows. */
  rowsAfterJoining: number | null;
  isWhole: boolean;
  /** First issues, and the number of all issues. */
  issues: Issue[];
  issueCount: number;
  warnings: CsvWarning[];
  firstRows: Table;
  profile: PreviewedColumn[];
  /** Columns that match no feature, as the first rows show them. Empty unless a feature's column is missing. */
  unmatched: FileColumn[];
  /** Step as an ISO 8601 duration, or `P1B` for business days; null without a regular step. */
  frequency: string | null;
  /** Step into which the rows can be joined, if their times are irregular or repeat. */
  proposedStep: string | null;
  /** Number of series that the chosen columns name; null if none are chosen. */
  seriesCount: number | null;
  /** Columns that hold the other parts of repeated days or years, if there are any. */
  partColumns: string[] | null;
  /** Columns that are probably the times, if the file has no column of times and none is chosen. */
  proposedTimes: string[] | null;
  /** First lines of the file as text. */
  firstLines: string[];
  /** The sheet that was read, and those to choose from; null unless the file is a workbook. */
  sheet: { name: string; sheets: string[] } | null;
};

const shownRows = 5;
const namedCategories = 5;
const headBytes = 1 << 20;
const lineBytes = 1 << 14;

/**
 * Reads a file with the service's CSV module and describes its columns.
 *
 * @param onProgress receives the fraction read, 0 to 1
 * @param valuesMax maximum number of values held in memory
 * @throws {Error} if the file cannot be read, or has more values than the service accepts
 */
export async function previewCsv(
  file: Blob,
  reading: Reading,
  onProgress: (fraction: number) => void = () => {},
  valuesMax: number = reading.series?.seriesColumns?.length ? limits.panelValues : limits.tableValues,
): Promise<CsvPreview> {
  const mayBeLonger = "features" in reading && reading.mayBeLonger === true;
  let isWhole = true;
  let sheetLines: string[] | null = null;
  const read = async (options: CsvOptions) => {
    const found = await readFile(file, options, { onProgress, valuesMax, mayBeLonger });
    ({ isWhole, sheetLines } = found);
    return found.result;
  };
  const features = "features" in reading ? reading.features : [];
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const { file: result, ...checked } = await readAndCheck(read, reading);
  const { header, columns, rowCount } = result;
  const { issues, issueCount, warnings, partColumns } = withTimeIssues(checked, result, reading);
  const { table, ...series } = asSeries(result, reading);
  return {
    header,
    columns,
    rowCount,
    isWhole,
    issues,
    issueCount,
    warnings,
    ...series,
    firstRows: firstRows(table),
    profile: table.columns.map((column) => ({
      ...profileColumn(column),
      outside: outsideOf(column, byName.get(column.name)),
    })),
    partColumns,
    proposedTimes: "options" in reading && result.times === null ? proposeTimes(result.table.columns) : null,
    firstLines: sheetLines ?? (await firstLinesOf(file, result.encoding)),
    sheet: result.origin.sheet && { name: result.origin.sheet.name, sheets: result.origin.sheet.sheets },
    // The columns of a workbook or a Parquet file keep their names.
    unmatched: sheetLines === null ? await unmatchedColumns(file, header, features) : [],
  };
}

/** Returns the first lines, shortened. */
async function firstLinesOf(file: Blob, encoding: string): Promise<string[]> {
  const head = new TextDecoder(encoding).decode(await file.slice(0, lineBytes).arrayBuffer());
  return head.split(/\r\n|\n|\r/, shownLines).map((line) => shorten(line.trim()));
}

const asFound: NonNullable<Reading["series"]> = { calendar: null, resample: null, target: "" };

/** Joins the rows as the service does, and describes their times. */
function asSeries({ table, times }: CsvResult, reading: Reading) {
  const none = { table, rowsAfterJoining: null, frequency: null, proposedStep: null, seriesCount: null };
  const timeOf = ({ columns }: Table) => columns.find(({ name }) => name === times?.column);
  const time = timeOf(table);
  if (time?.type !== "timestamp") return none;
  const { series = asFound } = reading;
  const { timezone = "UTC" } = "options" in reading ? reading.options : reading.format;
  const index = chosenSeries(table, reading);
  const columns = {
    timestamp: time.name,
    hours: times!.format?.includes("+") ? undefined : times!.columns[1],
    target: series.target,
    series: index?.ofRow,
  };
  const joined = resampleSeries(table, columns, timezone, series);
  const known = (timeOf(joined) as typeof time).values.filter((at) => !Number.isNaN(at));
  return {
    table: joined,
    rowsAfterJoining: series.resample === null ? null : joined.rowCount,
    frequency: stepOfSeries(known, timezone, series),
    proposedStep: series.resample === null && index === null ? proposeResampling(known, timezone) : null,
    seriesCount: index?.values.length ?? null,
  };
}

/** Describes the columns that match no feature, by their first rows. */
async function unmatchedColumns(
  file: Blob,
  header: readonly string[],
  features: readonly ExpectedFeature[],
): Promise<FileColumn[]> {
  const present = new Set(header);
  if (features.every(({ name }) => present.has(name))) return [];
  const csv = new CsvReader({
    exclude: features.map(({ name }) => name).filter((name) => present.has(name)),
  });
  csv.push(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  return csv.finish({ isCutOff: file.size > headBytes }).table.columns.map((column) => {
    const { name, type, min, max, categories } = profileColumn(column);
    return { name, type, min, max, categories };
  });
}

async function readAndCheck(read: (options: CsvOptions) => Promise<CsvResult>, reading: Reading) {
  if ("options" in reading) {
    const file = await read(reading.options);
    return { file, issues: file.issues, issueCount: file.issueCount, warnings: file.warnings };
  }
  const { check, file } = await readForFeatures(read, reading.features, reading.format, reading.anyOrder);
  return { file, ...check };
}

function outsideOf(column: Column, feature: ExpectedFeature | undefined): ColumnOutside | null {
  const outside = feature === undefined ? null : outsideTraining(column, feature);
  if (outside === null) return null;
  const unseen = outside.unseen ?? [];
  return { rows: outside.rows, unseen: unseen.slice(0, namedCategories), unseenCount: unseen.length };
}

function firstRows({ rowCount, columns }: Table): Table {
  return { rowCount: Math.min(shownRows, rowCount), columns: columns.map(firstValues) };
}

function firstValues(column: Column): Column {
  if (column.type !== "category") return { ...column, values: column.values.slice(0, shownRows) };
  // A text column may have a million distinct values.
  const codes = column.codes.slice(0, shownRows);
  const categories = Array.from(codes, (code) => column.categories[code] ?? "");
  return { ...column, codes: codes.map((code, row) => (code === -1 ? -1 : row)), categories };
}
