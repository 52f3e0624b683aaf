import type { Column, Table } from "#lib/contract/table";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { numericValues } from "#lib/engine/table/columns";

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

/** Maximum number of predictions stored per part; the newest are kept. */
const ROWS_MAX = 100_000;

/**
 * Columns of the file: row of the training data (from 1), epoch milliseconds (NaN without a timestamp), steps ahead of the
 * forecast origin (from 1; NaN without a series), actual value and prediction.
 */
const COLUMNS = ["row", "time", "step", "actual", "predicted"] as const;
type OutOfSampleRow = Record<(typeof COLUMNS)[number], number>;
/** Out-of-sample predictions of known rows, in the order of their origins. */
type OutOfSampleTable = Record<(typeof COLUMNS)[number], Float64Array>;

export type OutOfSampleParts = { backTests: OutOfSampleTable; validation: OutOfSampleTable };

/** Writes both parts, one after the other, as one table. */
export function writeOutOfSample(
  { backTests, validation }: { backTests: OutOfSample[]; validation: OutOfSample },
  { rowNumbers, times }: { rowNumbers: Int32Array; times: Float64Array | null },
): Uint8Array {
  const parts = [backTests, [validation]].map((some) => {
    const rows = some.flatMap(({ from, actual, predicted, steps }) =>
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
    return rows.slice(-ROWS_MAX);
  });
  const all = parts.flat();
  const column = (name: string, value: (row: OutOfSampleRow, at: number) => number): Column => ({
    name,
    type: "number",
    values: Float64Array.from(all, value),
  });
  return encodeTable({
    rowCount: all.length,
    columns: [
      column("isValidation", (_, at) => Number(at >= parts[0]!.length)),
      ...COLUMNS.map((name) => column(name, (row) => row[name])),
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
  return tableOf((name) => numericValues(table, name).subarray(from, to));
}

function tableOf(values: (name: string) => Float64Array): OutOfSampleTable {
  return Object.fromEntries(COLUMNS.map((name) => [name, values(name)])) as OutOfSampleTable;
}
