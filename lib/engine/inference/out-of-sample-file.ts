import type { Column, Table } from "#lib/contract/table";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { findColumn, numericValues } from "#lib/engine/table/columns";

/** Predictions of consecutive prepared rows by models not fitted on them, from one or more forecast origins (`byOrigin`). */
export type OutOfSample = {
  /** Index of the first row; the others follow. */
  from: number;
  actual: Float64Array;
  predicted: Float64Array;
  /** Steps ahead, from 1; null without a series. */
  steps: Int32Array | null;
};

/** The name of the file in a model's artifact. */
export const OUT_OF_SAMPLE_FILE = "backtests.bin";

/** Maximum number of predictions stored per part. */
export const OUT_OF_SAMPLE_ROWS_MAX = 100_000;

/**
 * Columns of the file: row of the training data (from 1), epoch milliseconds (NaN without a timestamp), steps ahead of the
 * forecast origin (from 1; NaN without a series), actual value and prediction.
 */
const COLUMNS = ["row", "time", "step", "actual", "predicted"] as const;
/** Further column of many series: the place of each row's series in the model. */
const SERIES = "series";
type OutOfSampleRow = Record<(typeof COLUMNS)[number], number>;
/** Out-of-sample predictions of known rows, in the order of their origins. `series` is null if the file does not hold it. */
type OutOfSampleTable = Record<(typeof COLUMNS)[number], Float64Array> & { series: Float64Array | null };

export type OutOfSampleParts = { backTests: OutOfSampleTable; validation: OutOfSampleTable };

/** Writes the newest predictions of both parts. */
export function writeOutOfSample(
  { backTests, validation }: { backTests: OutOfSample[]; validation: OutOfSample },
  { rowNumbers, times }: { rowNumbers: Int32Array; times: Float64Array | null },
): Uint8Array {
  const partOf = (blocks: readonly OutOfSample[]) => {
    const rows = blocks.flatMap(({ from, actual, predicted, steps }) =>
      Array.from(
        actual,
        (value, i): OutOfSampleRow => ({
          row: rowNumbers[from + i]!,
          time: times?.[from + i] ?? Number.NaN,
          step: steps?.[i] ?? Number.NaN,
          actual: value,
          predicted: predicted[i]!,
        }),
      ),
    );
    const newest = rows.slice(-OUT_OF_SAMPLE_ROWS_MAX);
    return tableOf((name) => Float64Array.from(newest, (row) => row[name]));
  };
  return encodeOutOfSample({ backTests: partOf(backTests), validation: partOf([validation]) });
}

/** Writes both parts, one after the other, as one table. */
export function encodeOutOfSample({ backTests, validation }: OutOfSampleParts): Uint8Array {
  const [first, second] = [backTests.row.length, validation.row.length];
  const column = (name: string, before: Float64Array, then: Float64Array): Column => {
    const values = new Float64Array(first + second);
    values.set(before);
    values.set(then, first);
    return { name, type: "number", values };
  };
  const { series } = validation;
  return encodeTable({
    rowCount: first + second,
    columns: [
      column("isValidation", new Float64Array(first), new Float64Array(second).fill(1)),
      ...COLUMNS.map((name) => column(name, backTests[name], validation[name])),
      ...(series && backTests.series ? [column(SERIES, backTests.series, series)] : []),
    ],
  });
}

/** Reads the parts. @throws RangeError for bytes that `writeOutOfSample` did not write. */
export function readOutOfSample(bytes: Uint8Array): OutOfSampleParts {
  const table = decodeTable(bytes);
  const isValidation = numericValues(table, "isValidation");
  const cut = isValidation.indexOf(1);
  const end = cut < 0 ? table.rowCount : cut;
  return { backTests: part(table, 0, end), validation: part(table, end, table.rowCount) };
}

export function nothingOutOfSample(): OutOfSampleParts {
  const empty = tableOf(() => new Float64Array());
  return { backTests: empty, validation: empty };
}

function part(table: Table, from: number, to: number): OutOfSampleTable {
  const values = (name: string) => numericValues(table, name).subarray(from, to);
  return tableOf(values, findColumn(table, SERIES) ? values(SERIES) : null);
}

function tableOf(
  values: (name: (typeof COLUMNS)[number]) => Float64Array,
  series: Float64Array | null = null,
): OutOfSampleTable {
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, values(name)]));
  return { ...(columns as Record<(typeof COLUMNS)[number], Float64Array>), series };
}
