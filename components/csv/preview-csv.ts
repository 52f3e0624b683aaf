import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import { checkAgainst, type ExpectedFeature } from "#lib/engine/csv/check-against";
import { CsvReader } from "#lib/engine/csv/csv-stream";
import type { CsvWarning, Fault } from "#lib/engine/csv/issues";
import type { CsvColumn, CsvOptions, CsvResult } from "#lib/engine/csv/options";
import { outsideTraining } from "#lib/engine/csv/outside-training";
import { describeProfile, profileColumn } from "#lib/engine/csv/profile";
import { type FeatureFormat, readingOf } from "#lib/engine/csv/read-for-features";
import { detectFrequency } from "#lib/engine/features/frequency";

/** How a file is to be read: as it comes, or as input of these features, whose ranges it is held against. */
export type Reading =
  | { options: CsvOptions }
  | {
      features: readonly ExpectedFeature[];
      format: FeatureFormat;
      /** Whether rows may stand in any order. */
      anyOrder?: boolean;
      /** Whether the service takes more values than are looked at here: then the first rows are, else the file is refused. */
      mayBeLonger?: boolean;
    };

/** Values of a column that the rows known before did not have. */
export type ColumnOutside = {
  rows: number;
  /** Of categories: the first unknown ones, and how many there are. */
  unseen: string[];
  unseenCount: number;
};

export type PreviewedColumn = ReturnType<typeof describeProfile> & { outside: ColumnOutside | null };

/** What a page shows of a file: nothing in it grows with the number of rows. */
export type CsvPreview = {
  header: string[];
  columns: CsvColumn[];
  /** Of those that were looked at: all of the file, or where it is not `isWhole` the first ones. */
  rowCount: number;
  isWhole: boolean;
  /** The first ones, and the number of all. */
  faults: Fault[];
  faultCount: number;
  warnings: CsvWarning[];
  firstRows: Table;
  profile: PreviewedColumn[];
  /** ISO 8601 duration, where the rows have times at a regular step. */
  frequency: string | null;
};

const shownRows = 5;
const namedCategories = 5;

/**
 * Reads a file with the service's own CSV module, and tells what is in each of its columns.
 *
 * @param onProgress is told the part that is read, 0 to 1
 * @param valuesMax so many are held in memory
 * @throws {Error} for more values than the service takes
 */
export async function previewCsv(
  file: Blob,
  reading: Reading,
  onProgress: (fraction: number) => void = () => {},
  valuesMax: number = limits.tableValues,
): Promise<CsvPreview> {
  const mayBeLonger = "features" in reading && reading.mayBeLonger === true;
  let isWhole = true;
  const read = async (options: CsvOptions) => {
    const found = await readCsvFile(file, options, { onProgress, valuesMax, mayBeLonger });
    isWhole = found.isWhole;
    return found.result;
  };
  const features = "features" in reading ? reading.features : [];
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const { file: result, faults, faultCount, warnings } = await readAndCheck(read, reading);
  const { header, columns, rowCount, table, times } = result;
  const time = table.columns.find(({ name }) => name === times?.column);
  return {
    ...{ header, columns, rowCount, isWhole, faults, faultCount, warnings },
    firstRows: firstRows(table),
    profile: table.columns.map((column) => ({
      ...describeProfile(profileColumn(column)),
      outside: outsideOf(column, byName.get(column.name)),
    })),
    frequency:
      time?.type === "timestamp" ? detectFrequency(time.values.filter((at) => !Number.isNaN(at))) : null,
  };
}

async function readAndCheck(read: (options: CsvOptions) => Promise<CsvResult>, reading: Reading) {
  if ("options" in reading) {
    const file = await read(reading.options);
    return { file, faults: file.faults, faultCount: file.faultCount, warnings: file.warnings };
  }
  const { wanted, series, options, optionsWithout } = readingOf(reading.features, reading.format);
  const both = await read(options);
  const without = optionsWithout(both);
  const file = without === null ? both : await read(without);
  return { file, ...checkAgainst(file, wanted, { series: series && !reading.anyOrder }) };
}

async function readCsvFile(
  file: Blob,
  options: CsvOptions,
  {
    onProgress,
    valuesMax,
    mayBeLonger,
  }: { onProgress: (fraction: number) => void; valuesMax: number; mayBeLonger: boolean },
): Promise<{ result: CsvResult; isWhole: boolean }> {
  const csv = new CsvReader(options);
  const stream = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await stream.read();
    if (done || csv.failed) return { result: csv.finish(), isWhole: true };
    csv.push(value);
    bytes += value.length;
    onProgress(bytes / file.size);
    if (csv.cellsHeld <= valuesMax) continue;
    if (!mayBeLonger) {
      const most = valuesMax.toLocaleString("en");
      throw new Error(`The file has more than ${most} values. Leave out columns or rows.`);
    }
    if (bytes === file.size) continue;
    await stream.cancel();
    return { result: csv.finish({ isCutOff: true }), isWhole: false };
  }
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
  // A column of texts may have a million of them.
  const codes = column.codes.slice(0, shownRows);
  const categories = Array.from(codes, (code) => column.categories[code] ?? "");
  return { ...column, codes: codes.map((code, row) => (code === -1 ? -1 : row)), categories };
}
