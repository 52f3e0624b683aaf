import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { defaultHorizon, detectFrequency } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition, gridOf } from "#lib/engine/features/grid";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { levelColumns } from "#lib/engine/panel/level-columns";
import { indexSeries, type SeriesIndex } from "#lib/engine/panel/series-index";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { constantColumns } from "./constant-columns.ts";
import type { FitInput } from "./fit-input.ts";

/** Rows of many series in training order: by series, then by time. All have a target. */
export type PanelData = {
  table: Table;
  /** Row number in the given table (from 1) of each row. */
  rowNumbers: Int32Array;
  index: SeriesIndex;
  /** First row of each series, and the number of rows at the end. */
  starts: Int32Array;
  targets: Float64Array;
  times: Float64Array;
  /** Times of all rows, each once, ascending. */
  distinct: Float64Array;
  /** Grid index of each row. */
  cells: Int32Array;
  grid: GridDefinition;
  /** First grid index, and the one after the newest row. */
  first: number;
  end: number;
  horizon: number;
  /** Columns of texts that are constant within each series, besides the series columns. */
  levels: string[];
  /** Columns that vary within series. */
  inputs: string[];
};

const ROWS_MIN = 10;
/** Part of the time that the horizon may span, so that there are rows to learn before it. */
const HORIZON_PART = 0.2;

/**
 * Orders the rows by series and time, and finds their common frequency.
 *
 * @throws TrainingImpossible with the reason if nothing can be learned
 */
export function preparePanel({ table, target, timestamp, series = [], ...input }: FitInput): PanelData {
  const { frequency: requested, timezone = "UTC", request = {} } = input;
  const { algorithm = "auto" } = request;
  if (algorithm !== "auto")
    throw new TrainingImpossible(
      `Many series are trained by one procedure, not by "${algorithm}". Leave out \`algorithm\`.`,
    );
  const targetColumn = findColumn(table, target);
  if (targetColumn?.type !== "number" && targetColumn?.type !== "boolean")
    throw new TrainingImpossible(`The target "${target}" of many series must hold numbers.`);
  const times = timestamp === null ? null : findColumn(table, timestamp);
  if (times?.type !== "timestamp") throw new TrainingImpossible("Many series need a timestamp.");
  const { ordered, rowNumbers } = orderRows(table, series, targetColumn.values, times.values);
  if (ordered.rowCount < ROWS_MIN)
    throw new TrainingImpossible(
      `${counted(ordered.rowCount, "row has", "rows have")} a value of "${target}"; training needs at least ${ROWS_MIN}.`,
    );
  const instants = numericValues(ordered, timestamp!);
  const distinct = distinctTimes(instants);
  const frequency = requested ?? detectFrequency(distinct, timezone);
  if (frequency === null)
    throw new TrainingImpossible(
      "The times of the series have no common frequency, such as one row per day.",
    );
  const grid = gridOf(distinct, { frequency, timezone });
  const { indexOf } = createGrid(grid);
  const cells = Int32Array.from(instants, indexOf);
  const index = indexSeries(ordered, series);
  const [first, end] = [indexOf(distinct[0]!), indexOf(distinct.at(-1)!) + 1];
  const longest = Math.max(1, Math.floor((end - first) * HORIZON_PART));
  const constant = new Set(constantColumns(ordered, index.ofRow));
  const others = ordered.columns.filter(
    ({ name }) => name !== target && name !== timestamp && !series.includes(name),
  );
  return {
    table: ordered,
    rowNumbers,
    index,
    starts: startsOf(index),
    targets: numericValues(ordered, target),
    times: instants,
    distinct,
    cells,
    grid,
    first,
    end,
    horizon: Math.min(request.horizon ?? defaultHorizon(frequency), longest),
    levels: levelColumns(
      ordered,
      index,
      others.map(({ name }) => name),
    ),
    inputs: others
      .filter(({ name, type }) => type !== "timestamp" && !constant.has(name))
      .map(({ name }) => name),
  };
}

/** Returns the rows with a target and a time, by series in the order of their first rows, then by time. */
function orderRows(table: Table, series: readonly string[], targets: Float64Array, times: Float64Array) {
  const { ofRow } = indexSeries(table, series);
  const isUsable = (row: number) => Number.isFinite(targets[row]!) && Number.isFinite(times[row]!);
  let isOrdered = true;
  for (let row = 0; row < table.rowCount && isOrdered; row++) {
    const rises =
      row === 0 ||
      ofRow[row]! > ofRow[row - 1]! ||
      (ofRow[row] === ofRow[row - 1] && times[row]! >= times[row - 1]!);
    isOrdered = isUsable(row) && rises;
  }
  if (isOrdered)
    return { ordered: table, rowNumbers: Int32Array.from({ length: table.rowCount }, (_, row) => row + 1) };
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row);
  const order = rows.filter(isUsable).sort((a, b) => ofRow[a]! - ofRow[b]! || times[a]! - times[b]! || a - b);
  return { ordered: takeRows(table, order), rowNumbers: order.map((row) => row + 1) };
}

/** Returns each time once, ascending. */
export function distinctTimes(times: Float64Array): Float64Array {
  return Float64Array.from(new Set(times)).sort();
}

function startsOf({ values, ofRow }: SeriesIndex): Int32Array {
  const starts = new Int32Array(values.length + 1);
  for (const place of ofRow) starts[place + 1]!++;
  for (let place = 0; place < values.length; place++) starts[place + 1]! += starts[place]!;
  return starts;
}
