import type { ForecastErrors, ScenarioActuals } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import type { Bounds } from "#lib/domain/scenarios/chunks/read-predictions";
import { align, alignedValues, gather, isAscending } from "#lib/engine/series/align";
import { downsampleShared } from "#lib/engine/series/downsample";
import { wireNumbers } from "#lib/engine/series/summary";
import { type RowWindow, rowsBetween } from "#lib/engine/series/window";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { actualsAmong, type KnownTarget, knowableRows } from "./actuals-of.ts";
import { type Judged, measure } from "./measure.ts";
import { forecastNaively, type NaiveModel } from "./naive-of.ts";

/** Epoch milliseconds, both ends inclusive. An open end is undefined. */
type TimeWindow = { from?: number; to?: number };

export type JudgeScenario = {
  points: { timestamps: Float64Array; prediction: Float64Array };
  /** Bounds of the rows of `rowsWithActuals`. `from` is the index of the first row, counted from 0. */
  bounds: Bounds & { from: number };
  known: KnownTarget;
  /** Times and target that the model keeps; null if it keeps none. */
  kept: Table | null;
  /** Last time of `kept`. */
  keptUntil: number | null;
  /** Time up to which rows were known when the scenario was created; null: the same as `keptUntil`. */
  knownUntil: number | null;
  /** Time of the last row that the model was trained on. */
  learnedUntil: number;
  naive: NaiveModel;
  areClasses: boolean;
  window: TimeWindow & { maxPoints: number };
};

/** `rowOf`: the row (from 0) of each chart point, at which the caller reads the bounds. */
export type JudgedScenario = Pick<ScenarioActuals, "timestamps" | "actual" | "predicted" | "baseline"> & {
  errors: ForecastErrors;
  learnedRows: number;
  rowOf: Int32Array;
};

/** Returns the window of rows (from 0) that may have an actual value. Unordered times return all rows. */
export function rowsWithActuals(
  timestamps: Float64Array,
  known: KnownTarget,
  { from, to }: TimeWindow,
): RowWindow {
  if (!isAscending(timestamps)) return { start: 0, end: timestamps.length };
  const window = rowsBetween(timestamps, timestamps.length, from, to);
  const { start, end } = knowableRows(known, timestamps.subarray(window.start, window.end));
  return { start: window.start + start, end: window.start + end };
}

/** Compares a scenario's predictions with the actuals. Returns null if no actual value is known. */
export async function judgeScenario({
  points: { timestamps, prediction },
  ...request
}: JudgeScenario): Promise<JudgedScenario | null> {
  const { known, naive, areClasses, bounds, window, learnedUntil } = request;
  const alignment = align([{ rowCount: prediction.length, timestamps }]);
  const { start, end } = rowsBetween(alignment.timestamps, alignment.length, window.from, window.to);
  const times = alignment.timestamps!.subarray(start, end);
  const rows = alignment.rowOf[0]!.subarray(start, end);
  const predicted = alignedValues(alignment, 0, prediction, { start, end });
  const actual = actualsAmong(known, times);
  if (actual === null) return null;
  const isKnown = (value: number) => !Number.isNaN(value);
  const first = actual.findIndex(isKnown);
  const behind = actual.findLastIndex(isKnown) + 1;
  const whenMade = knownWhenMade(request);
  const compared: Judged = {
    times: times.subarray(first, behind),
    actual: actual.subarray(first, behind),
    predicted: predicted.subarray(first, behind),
    ...boundsOf(bounds, rows.subarray(first, behind)),
    baseline: forecastNaively(naive, whenMade, times.subarray(first, behind)),
    areClasses,
  };
  const errors = measure(compared);
  if (errors === null) return null;
  const places = downsampleShared([predicted, actual], window.maxPoints);
  return {
    errors,
    learnedRows: learnedRows(compared, learnedUntil),
    rowOf: places.map((place) => rows[place]!),
    timestamps: Array.from(places, (place) => new Date(times[place]!).toISOString()),
    actual: wireNumbers(actual, places),
    predicted: wireNumbers(predicted, places),
    baseline: wireNumbers(forecastNaively(naive, whenMade, gather(times, places))),
  };
}

function boundsOf({ from, lower, upper }: JudgeScenario["bounds"], rows: Int32Array): Bounds {
  const places = rows.map((row) => row - from);
  return { lower: lower && gather(lower, places), upper: upper && gather(upper, places) };
}

function learnedRows({ times, actual }: Judged, learnedUntil: number): number {
  let count = 0;
  for (let row = 0; row < times.length; row++)
    if (times[row]! <= learnedUntil && !Number.isNaN(actual[row]!)) count++;
  return count;
}

/**
 * Returns times and target as known when the scenario was created: the rows that the model keeps, then newer rows, both
 * up to that time. A scenario made from an older one may use a model that keeps later rows.
 */
function knownWhenMade({
  kept,
  keptUntil,
  knownUntil,
  known: { known, timestamp, target },
}: Pick<JudgeScenario, "kept" | "keptUntil" | "knownUntil" | "known">): Table {
  const since = keptUntil ?? Number.NEGATIVE_INFINITY;
  const until = knownUntil ?? since;
  const between = (table: Table, after: number) => {
    const times = numericValues(table, timestamp);
    const rows = Int32Array.from(times.keys()).filter((row) => times[row]! > after && times[row]! <= until);
    return selectColumns(takeRows(table, rows), [timestamp, target]);
  };
  return concatTables([...(kept ? [between(kept, Number.NEGATIVE_INFINITY)] : []), between(known, since)]);
}
