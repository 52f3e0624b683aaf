import { counted } from "#lib/contract/counted";
import type { Column, Table } from "#lib/contract/table";
import { detectFrequency } from "#lib/engine/features/frequency";
import { type GridDefinition, gridOf } from "#lib/engine/features/grid";
import { variesAmong } from "#lib/engine/features/statistics";
import type { RowOrder } from "#lib/engine/learners/linear-design";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { orderOfRows } from "./row-order.ts";

type PrepareRequest = {
  table: Table;
  target: string;
  timestamp: string | null;
  frequency: string | null;
  timezone: string;
  validationFraction: number;
  /** Order of rows without a timestamp; detected if absent. */
  order?: RowOrder | undefined;
  seed: number;
};

/** Rows in training order: the first `trainingRows` rows to train on, the others to validate on. */
export type PreparedData = {
  table: Table;
  /** Row number in the given table (from 1) of each prepared row. */
  rowNumbers: Int32Array;
  targets: Float64Array;
  /** `random`: shuffled by the seed. */
  order: RowOrder;
  /** Number of rows that candidates are chosen on; the rows after them are the validation rows. */
  trainingRows: number;
  /**
   * Null without a timestamp or a frequency, or if several rows share a timestamp: there is then no single series and
   * no lags.
   */
  grid: GridDefinition | null;
  repeatedTimestamps: boolean;
  /** Usable input columns: not constant and not empty on the training rows. */
  inputs: string[];
};

const ROWS_MIN = 10;

/** Models compute in 32 bits with a maximum of 3.4e38; sums of several such values must fit too. */
const LARGEST = 1e37;

/**
 * Drops rows without a target or timestamp, sorts the others by time and splits them. Without a timestamp, rows keep their
 * order if it carries time (requested, or detected by `orderOfRows`); otherwise they are shuffled.
 *
 * @throws TrainingImpossible with the reason if nothing can be learned
 */
export function prepareData(request: PrepareRequest): PreparedData {
  const { table, target, timestamp } = request;
  const targetColumn = findColumn(table, target);
  if (!targetColumn) throw new TrainingImpossible(`The data has no column "${target}" to predict.`);
  if (targetColumn.type === "category" || targetColumn.type === "timestamp") {
    throw new TrainingImpossible(
      `The target "${target}" must hold numbers or two classes, not ${targetColumn.type} values.`,
    );
  }
  const times = timestamp === null ? null : timestampValues(table, timestamp);
  const usable = Int32Array.from(targetColumn.values.keys()).filter(
    (row) => Number.isFinite(targetColumn.values[row]!) && (!times || Number.isFinite(times[row]!)),
  );
  if (usable.length < ROWS_MIN) {
    throw new TrainingImpossible(
      `${counted(usable.length, "row has", "rows have")} a value of "${target}"; training needs at least ${ROWS_MIN}.`,
    );
  }
  const rowOrder = times ? "time" : (request.order ?? orderOf(table, usable, target));
  const order = times
    ? usable.sort((a, b) => times[a]! - times[b]! || a - b)
    : rowOrder === "time"
      ? usable
      : seededRandom(request.seed).shuffle(usable.slice());
  const ordered = takeRows(table, order);
  const targets = numericValues(ordered, target);
  const trainingRows = Math.floor(order.length * (1 - request.validationFraction) + 1e-9);
  const sortedTimes = times ? numericValues(ordered, timestamp!) : null;
  const repeatedTimestamps = sortedTimes?.some((time, row) => time === sortedTimes[row - 1]) ?? false;
  const frequency =
    sortedTimes && !repeatedTimestamps
      ? (request.frequency ?? detectFrequency(sortedTimes, request.timezone))
      : null;
  // A constant shows no effect of inputs, but as a series it can be continued.
  const varies = variesAmong(targets.subarray(0, trainingRows));
  if (!varies && frequency === null) {
    throw new TrainingImpossible(
      `"${target}" has the same value in every training row: there is nothing to learn.`,
    );
  }
  const inputs = ordered.columns
    .filter(() => varies)
    .filter(({ name }) => name !== target && name !== timestamp)
    .filter((column) => isUsable(column, trainingRows))
    .map(({ name }) => name);
  for (const name of [target, ...inputs]) rejectTooLarge(findColumn(ordered, name)!, order);
  if (inputs.length === 0 && timestamp === null) {
    throw new TrainingImpossible(
      "No input column has more than one value, and there is no timestamp to learn from.",
    );
  }
  return {
    table: ordered,
    rowNumbers: order.map((row) => row + 1),
    targets,
    order: rowOrder,
    trainingRows,
    grid: frequency && sortedTimes ? gridOf(sortedTimes, { frequency, timezone: request.timezone }) : null,
    repeatedTimestamps,
    inputs,
  };
}

function orderOf(table: Table, usable: Int32Array, target: string): RowOrder {
  const rows = takeRows(table, usable);
  return orderOfRows(
    numericValues(rows, target),
    rows.columns.filter(({ name }) => name !== target),
  );
}

function timestampValues(table: Table, timestamp: string): Float64Array {
  const column = findColumn(table, timestamp);
  if (column?.type === "timestamp") return column.values;
  throw new TrainingImpossible(`The data has no timestamp column "${timestamp}".`);
}

function isUsable(column: Column, trainingRows: number): boolean {
  const values = column.type === "category" ? column.codes : column.values;
  return variesAmong(values.subarray(0, trainingRows));
}

/** Rejects values that are too large for models. @param order row index in the given table by row of the column */
function rejectTooLarge(column: Column, order: Int32Array): void {
  if (column.type !== "number") return;
  const at = column.values.findIndex((value) => Math.abs(value) > LARGEST);
  if (at === -1) return;
  throw new TrainingImpossible(
    `Row ${order[at]! + 1}, column "${column.name}": ${column.values[at]} exceeds the largest supported magnitude, ${LARGEST}. Rescale or exclude the column.`,
  );
}
