import type { Table } from "#lib/contract/table";
import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { type KnownSeries, knownSeries } from "#lib/engine/forecasting/known-series";
import { naiveForecast } from "#lib/engine/forecasting/naive-forecast";
import { actualsAmong } from "./actuals-of.ts";
import { type Judged, takeJudged } from "./measure.ts";
import type { NaiveModel } from "./naive-of.ts";
import { sumActuals } from "./sum-actuals.ts";

// Each prediction of a time after the last row that its run knew is compared with the actual value that came. For example, monthly runs
// of March and April, which knew the rows until then, both predicted May:
//
// | run | May, steps ahead | predicted | actual |
// | --- | --- | --- | --- |
// | March | 2 | 90 | 100 |
// | April | 1 | 96 | 100 |
//
// May counts twice: once one step ahead and once two steps ahead. The chart shows 96, the last prediction. All errors in a line are of
// the same rows, because a mean over other rows would compare an easy month with a hard one.

/** Predictions of a run at times after `knownUntil`, in ascending order of time; NaN: no value. */
export type ServedRows = {
  /** Position of the run's checkpoint in `checkpoints` of the request. */
  checkpoint: number;
  knownUntil: number;
  times: Float64Array;
  effective: Float64Array;
  calculated: Float64Array;
  /** Bounds of the effective values. */
  lower: Float64Array | null;
  upper: Float64Array | null;
  /** The last override of each row, as a position in `overrides` of the request; -1: none. */
  overrideOf: Int32Array;
  /** Series whose totals the values are; null for one series. */
  panel: Pick<ChosenPanel, "panel" | "chosen"> | null;
};

/** Runs, and what came after them. */
export type ServedAndKnown = {
  /** In order of their completion. */
  runs: ServedRows[];
  /** Known rows in ascending time order; those of many series in any order. */
  known: Table;
  timestamp: string;
  target: string;
  grid: GridDefinition;
  /** Null without one, and for totals. */
  naive: NaiveModel;
  areClasses: boolean;
};

/** Compared predictions of all runs in ascending order of time, then of the time that their runs knew. */
export type Compared = Judged & {
  calculated: Float64Array;
  /** Grid step of each time. */
  at: Float64Array;
  /** Steps ahead. */
  steps: Float64Array;
  checkpointOf: Int32Array;
  overrideOf: Int32Array;
};

/**
 * Compares predictions of runs with the actual values that came. Returns the rows of each run that has some, in order of what
 * the runs knew, and the rows of all runs together; null if no actual value has come.
 */
export function compareRows(request: ServedAndKnown): { parts: readonly Part[]; all: Compared } | null {
  const { indexOf } = createGrid(request.grid);
  const isPanel = request.runs.some(({ panel }) => panel !== null);
  const series = isPanel ? null : knownSeries(request.known, request);
  const inOrder = request.runs.toSorted((a, b) => a.knownUntil - b.knownUntil);
  const parts = inOrder.flatMap((run) => comparedRows(run, request, { indexOf, series }) ?? []);
  return parts.length === 0 ? null : { parts, all: onCommonRows(joined(parts, request.areClasses)) };
}

type Part = Omit<Compared, "areClasses">;

/** `series`: the known rows of one series. */
type Known = { indexOf(time: number): number; series: KnownSeries | null };

/** Returns the rows of a run with a prediction and an actual value; null if there are none. */
function comparedRows(run: ServedRows, request: ServedAndKnown, { indexOf, series }: Known): Part | null {
  const { times, effective, panel } = run;
  const at = times.map(indexOf);
  const knownAt = indexOf(run.knownUntil);
  const actual =
    series === null
      ? totalsAt(times, request, panel)
      : at.map((index) => series.observed[index - series.firstIndex] ?? Number.NaN);
  if (actual === null) return null;
  const rows = Int32Array.from(times.keys()).filter(
    (row) => !Number.isNaN(actual[row]! - effective[row]!) && at[row]! > knownAt,
  );
  if (rows.length === 0) return null;
  const take = (values: Float64Array | null) => Float64Array.from(rows, (row) => values?.[row] ?? Number.NaN);
  const own = take(at);
  return {
    times: take(times),
    at: own,
    steps: own.map((index) => index - knownAt),
    actual: take(actual),
    predicted: take(effective),
    calculated: take(run.calculated),
    lower: take(run.lower),
    upper: take(run.upper),
    baseline: naiveAt(own, knownAt, { naive: request.naive, series }),
    checkpointOf: new Int32Array(rows.length).fill(run.checkpoint),
    overrideOf: Int32Array.from(rows, (row) => run.overrideOf[row]!),
  };
}

function totalsAt(
  times: Float64Array,
  { known, timestamp, target, grid }: ServedAndKnown,
  panel: ServedRows["panel"],
): Float64Array | null {
  const totals = panel && sumActuals(known, { timestamp, target }, { grid, panel });
  return totals && actualsAmong(totals, times);
}

/** Forecasts steps naively from the values up to `knownAt`; NaN without a naive forecast. */
function naiveAt(
  steps: Float64Array,
  knownAt: number,
  { naive, series }: { naive: NaiveModel; series: KnownSeries | null },
): Float64Array {
  if (naive === null || series === null) return new Float64Array(steps.length).fill(Number.NaN);
  if ("mean" in naive) return new Float64Array(steps.length).fill(naive.mean);
  const before = series.observed.subarray(0, Math.max(0, knownAt + 1 - series.firstIndex));
  const end = before.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const known = { ...series, observed: before.subarray(0, end), end: series.firstIndex + end };
  return naiveForecast(known, steps, naive.seasonal);
}

/** Joins the rows of runs, which are in ascending order of what they knew, and sorts them by grid step. */
function joined(parts: readonly Part[], areClasses: boolean): Compared {
  const join = (of: (part: Part) => ArrayLike<number> | null) => {
    const all = new Float64Array(parts.reduce((sum, { times }) => sum + times.length, 0));
    let start = 0;
    for (const part of parts) {
      all.set(of(part)!, start);
      start += part.times.length;
    }
    return all;
  };
  const at = join((part) => part.at);
  const order = Int32Array.from(at.keys()).sort((a, b) => at[a]! - at[b]! || a - b);
  const sorted = (of: (part: Part) => ArrayLike<number> | null) => {
    const all = join(of);
    return Float64Array.from(order, (row) => all[row]!);
  };
  return {
    times: sorted(({ times }) => times),
    at: sorted((part) => part.at),
    steps: sorted(({ steps }) => steps),
    actual: sorted(({ actual }) => actual),
    predicted: sorted(({ predicted }) => predicted),
    calculated: sorted(({ calculated }) => calculated),
    lower: sorted(({ lower }) => lower),
    upper: sorted(({ upper }) => upper),
    baseline: sorted(({ baseline }) => baseline),
    checkpointOf: Int32Array.from(sorted(({ checkpointOf }) => checkpointOf)),
    overrideOf: Int32Array.from(sorted(({ overrideOf }) => overrideOf)),
    areClasses,
  };
}

/** Leaves out rows without a naive forecast, unless no row has one. */
function onCommonRows(all: Compared): Compared {
  const rows = Int32Array.from(all.times.keys()).filter((row) => !Number.isNaN(all.baseline[row]!));
  if (rows.length === 0 || rows.length === all.times.length) return all;
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return {
    ...takeJudged(all, rows),
    calculated: take(all.calculated),
    at: take(all.at),
    steps: take(all.steps),
    checkpointOf: Int32Array.from(rows, (row) => all.checkpointOf[row]!),
    overrideOf: Int32Array.from(rows, (row) => all.overrideOf[row]!),
  };
}
