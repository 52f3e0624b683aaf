import type { Table } from "#lib/contract/table";
import {
  buildFeatures,
  type FeatureMatrix,
  gridIndexes,
  requiredColumns,
} from "#lib/engine/features/build-features";
import { type FeaturePipeline, shortestTargetShift, targetReads } from "#lib/engine/features/pipeline";
import { forecastOrigin, stepsAhead, type TargetHistory } from "#lib/engine/features/target-history";
import type { SeriesForecast } from "#lib/engine/series-methods/series-method";
import { selectColumns } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import type { KnownSeries } from "./known-series.ts";

type RowModel = {
  pipeline: FeaturePipeline;
  /** Steps from one forecast origin to the next inside the known series. */
  horizon: number;
  /** Predicts one number per row from the model inputs. */
  run: (columns: Float32Array[], rowCount: number) => Promise<Float64Array>;
};

const BATCH_ROWS = 32_768;
/** Milliseconds of rounds before other work of the thread gets its turn: a long series takes seconds. */
const TURN_MS = 20;
/**
 * Maximum number of steps ahead for recursive predictions. Without a limit, a single row in the year 9999 would fill
 * the memory.
 */
const STEPS_AHEAD_MAX = 1_000_000;

export type RowPredictions = {
  predictions: Float64Array;
  /** Model inputs of each row; null unless requested. */
  features: FeatureMatrix | null;
  /** Series methods' part of each prediction; absent for other models. */
  past?: SeriesForecast;
  /** Predictions of the parts of a blend, each on the part's own scale; absent for other models. */
  parts?: RowPredictions[];
  /** Steps of each row ahead of its forecast origin, from 1; null for a model without a series. */
  steps: Int32Array | null;
  /** Number of rows with a lag whose target value is neither observed nor predicted. */
  rowsWithoutHistory: number;
  /** Size of each row's error relative to the calibrated widths; absent if the calibration knows it. */
  scales?: Float64Array;
  /** Number of rows of series that the model has not learned; absent for a model of one series. */
  rowsOfUnknownSeries?: number;
};

/**
 * Predicts rows in any order. A model with target lags reads observations before the row's forecast origin, and its
 * own predictions after the origin. For rows after the known series, the origin is its end. For rows inside, origins
 * lie every `horizon` steps back from the end. Rows that a lag needs but `table` lacks come from the known series.
 * After its last row they must be in `table`, or the lag is missing.
 *
 * Rows are predicted in rounds of as many steps as the shortest lag: within a round, no row needs another.
 */
export async function predictRows(
  model: RowModel,
  table: Table,
  known: KnownSeries | null,
  keepFeatures = false,
): Promise<RowPredictions> {
  const { pipeline } = model;
  const shift = shortestTargetShift(pipeline);
  const steps =
    known && pipeline.grid ? stepsAhead(gridIndexes(pipeline, table), known.end, model.horizon) : null;
  if (shift === null)
    return { ...(await predictIndependent(model, table, keepFeatures)), steps, rowsWithoutHistory: 0 };
  if (!known || !steps) throw new RangeError("A model with target lags needs the known series.");

  const work = withHelperRows(model, table, known, steps, shift);
  const furthest = known.end + STEPS_AHEAD_MAX;
  const last = work.indexes.reduce(
    (most, index) => (index > most ? Math.min(index, furthest) : most),
    known.end,
  );
  const history: TargetHistory = {
    firstIndex: known.firstIndex,
    observed: known.observed,
    forecast: {
      end: known.end,
      horizon: model.horizon,
      predicted: new Float64Array(Math.max(0, last - known.firstIndex + 1)).fill(Number.NaN),
    },
  };
  const workSteps = stepsAhead(work.indexes, known.end, model.horizon);
  const predictions = new Float64Array(work.table.rowCount);
  let features: FeatureMatrix | null = null;
  let turn = performance.now();
  for (const rows of rowsByRound(workSteps, shift)) {
    if (performance.now() - turn > TURN_MS) {
      await otherWork();
      turn = performance.now();
    }
    const part = rows.length === work.table.rowCount ? work.table : takeRows(work.table, rows);
    const built = buildFeatures(pipeline, part, history);
    const results = await model.run(built.columns, rows.length);
    if (keepFeatures) {
      features ??= { ...built, columns: built.columns.map(() => new Float32Array(work.table.rowCount)) };
      built.columns.forEach((column, i) => {
        for (let at = 0; at < rows.length; at++) features!.columns[i]![rows[at]!] = column[at]!;
      });
    }
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      predictions[row] = results[at]!;
      const place = work.indexes[row]! - known.firstIndex;
      // If several rows share a time, the first one represents the series.
      if (Number.isNaN(history.forecast!.predicted[place]!))
        history.forecast!.predicted[place] = results[at]!;
    }
  }
  const count = table.rowCount;
  return {
    predictions: predictions.subarray(0, count),
    features: features && {
      ...(features as FeatureMatrix),
      columns: (features as FeatureMatrix).columns.map((column) => column.subarray(0, count)),
    },
    steps,
    rowsWithoutHistory: countWithoutHistory(pipeline, history, work.indexes.subarray(0, count)),
  };
}

/** Resolves after the work that waits for this thread, such as requests of others. */
const otherWork = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Predicts rows without lags in batches, so that the model inputs of a long table are never in memory all at once. */
async function predictIndependent(
  { pipeline, run }: RowModel,
  table: Table,
  keepFeatures: boolean,
): Promise<Pick<RowPredictions, "predictions" | "features">> {
  if (keepFeatures || table.rowCount <= BATCH_ROWS) {
    const features = buildFeatures(pipeline, table);
    return { predictions: await run(features.columns, table.rowCount), features };
  }
  const predictions = new Float64Array(table.rowCount);
  for (let from = 0; from < table.rowCount; from += BATCH_ROWS) {
    const part = sliceRows(table, from, from + BATCH_ROWS);
    predictions.set(await run(buildFeatures(pipeline, part).columns, part.rowCount), from);
  }
  return { predictions, features: null };
}

/**
 * Yields the rows of each round in order. Because there can be a million rounds, rows are sorted by numbers that
 * combine round and row.
 */
function* rowsByRound(steps: Int32Array, shift: number): Generator<Int32Array> {
  const count = steps.length;
  const roundOf = (place: number) => Math.floor(place / count);
  const order = Float64Array.from(steps, (step, row) => Math.floor((step - 1) / shift) * count + row).sort();
  for (let from = 0, to = 0; from < count; from = to) {
    const round = roundOf(order[from]!);
    while (to < count && roundOf(order[to]!) === round) to++;
    yield Int32Array.from(order.subarray(from, to), (place) => place - round * count);
  }
}

/** Appends rows of the known series whose predictions the table's lags read. */
function withHelperRows(
  { pipeline, horizon }: RowModel,
  table: Table,
  known: KnownSeries,
  steps: Int32Array,
  shift: number,
): { table: Table; indexes: Float64Array } {
  const indexes = gridIndexes(pipeline, table);
  /** Last grid index with a row of the known series. */
  const last = known.firstIndex + known.rowAt.length - 1;
  const reading = Int32Array.from(indexes.keys()).filter(
    (row) => steps[row]! > shift && indexes[row]! - steps[row]! < last,
  );
  if (reading.length === 0) return { table, indexes };
  const present = new Set(indexes);
  const helpers = new Set<number>();
  for (const row of reading) {
    const index = indexes[row]!;
    const end = Math.min(last, index - shift);
    // Include all earlier cells of the block, because earlier rows of the block read them too.
    for (let before = forecastOrigin(index, known.end, horizon); before <= end; before++) {
      if (!present.has(before)) helpers.add(before);
    }
  }
  const rows = [...helpers]
    .map((index) => known.rowAt[index - known.firstIndex] ?? -1)
    .filter((row) => row >= 0);
  if (rows.length === 0) return { table, indexes };
  const names = requiredColumns(pipeline);
  const joined = concatTables([
    selectColumns(table, names),
    selectColumns(takeRows(known.table, rows), names),
  ]);
  return { table: joined, indexes: gridIndexes(pipeline, joined) };
}

function countWithoutHistory(
  pipeline: FeaturePipeline,
  history: TargetHistory,
  indexes: Float64Array,
): number {
  const lags = pipeline.steps.flatMap((step) => {
    const reads = targetReads(step);
    if (!reads) return [];
    // A window uses its known values; a difference needs both ends.
    return step.op === "rolling" ? [reads.nearest] : [reads.nearest, reads.furthest];
  });
  const { firstIndex, observed, forecast } = history;
  let rows = 0;
  for (const index of indexes) {
    const origin = forecastOrigin(index, forecast!.end, forecast!.horizon);
    const missing = lags.some((lag) => {
      const values = index - lag < origin ? observed : forecast!.predicted;
      return Number.isNaN(values[index - lag - firstIndex] ?? Number.NaN);
    });
    if (missing) rows++;
  }
  return rows;
}
