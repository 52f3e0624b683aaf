import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import type { OverrideErrors, TrackRecord } from "#lib/contract/track-record";
import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import { parseFrequency } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { type KnownSeries, knownSeries } from "#lib/engine/forecasting/known-series";
import { naiveForecast } from "#lib/engine/forecasting/naive-forecast";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { actualsAmong } from "./actuals-of.ts";
import { chartPoints, type Judged, measure, takeJudged } from "./measure.ts";
import type { NaiveModel } from "./naive-of.ts";
import { choosePeriod, measurePeriods } from "./periods.ts";
import type { OverrideFacts } from "./served-runs.ts";
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

export type ScoreServed = {
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
  /** Labels of the checkpoints of all runs. */
  checkpoints: string[];
  overrides: OverrideFacts[];
  maxPoints: number;
};

type Scored = Pick<
  TrackRecord,
  "errors" | "horizons" | "period" | "periods" | "newestCheckpoint" | "checkpoints" | "overrides" | "runs"
> &
  ReturnType<typeof chartPoints>;

/** Compared predictions of all runs in ascending order of time, then of the time that their runs knew. */
type Compared = Judged & {
  calculated: Float64Array;
  /** Grid step of each time. */
  at: Float64Array;
  /** Steps ahead. */
  steps: Float64Array;
  checkpointOf: Int32Array;
  overrideOf: Int32Array;
};

/** Compares predictions of runs with the actual values that came. Returns null if none has come. */
export async function scoreServed(request: ScoreServed): Promise<Scored | null> {
  const { grid, maxPoints, areClasses } = request;
  const { indexOf } = createGrid(grid);
  const isPanel = request.runs.some(({ panel }) => panel !== null);
  const series = isPanel ? null : knownSeries(request.known, request);
  const inOrder = request.runs.toSorted((a, b) => a.knownUntil - b.knownUntil);
  const parts = inOrder.flatMap((run) => comparedRows(run, request, { indexOf, series }) ?? []);
  if (parts.length === 0) return null;
  const all = onCommonRows(joined(parts, areClasses));
  const newest = parts.at(-1)!.checkpointOf[0]!;
  const last = takeJudged(all, lastOfEachStep(all));
  const isMonthly = parseFrequency(grid.frequency).unit === "month";
  const period = isMonthly ? "month" : choosePeriod(last.times);
  return {
    runs: parts.length,
    errors: measure(all),
    horizons: horizonErrors(all),
    period,
    periods: measurePeriods(all, period, grid.timezone),
    newestCheckpoint: request.checkpoints[newest]!,
    checkpoints: checkpointErrors(all, request.checkpoints, newest),
    overrides: overrideRecord(all, { period, timezone: grid.timezone }, request.overrides),
    ...chartPoints(last, maxPoints),
  };
}

type Part = Omit<Compared, "areClasses">;

/** `series`: the known rows of one series. */
type Known = { indexOf(time: number): number; series: KnownSeries | null };

/** Returns the rows of a run with a prediction and an actual value; null if there are none. */
function comparedRows(run: ServedRows, request: ScoreServed, { indexOf, series }: Known): Part | null {
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
  { known, timestamp, target, grid }: ScoreServed,
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

const lastOfEachStep = ({ at }: Compared) =>
  Int32Array.from(at.keys()).filter((row) => at[row] !== at[row + 1]);

/** Up to this number of steps, each step has its own errors. */
const SINGLE_STEPS = 12;

/** Returns errors of each step up to 12; of more steps, of 1, 2, 3–4, 5–8, 9–16 and so on. */
function horizonErrors(all: Compared): TrackRecord["horizons"] {
  const most = all.steps.reduce((a, b) => Math.max(a, b), 0);
  const groupOf = (step: number) => (most <= SINGLE_STEPS ? step : 2 ** Math.ceil(Math.log2(step)));
  const groups = Map.groupBy(all.steps.keys(), (row) => groupOf(all.steps[row]!));
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([toStep, rows]) => ({
      fromStep: most <= SINGLE_STEPS ? toStep : Math.floor(toStep / 2) + 1,
      toStep,
      ...measure(takeJudged(all, Int32Array.from(rows)))!,
    }));
}

/**
 * Compares earlier checkpoints with the newest one. A forecast of tomorrow errs less than one of next week, so only rows of one time count
 * that both predicted from equally many steps before. For example, two checkpoints that both knew the rows until March have April in
 * common. Of several runs, the last one counts.
 */
function checkpointErrors(
  all: Compared,
  labels: readonly string[],
  newest: number,
): TrackRecord["checkpoints"] {
  const keyOf = (row: number) => `${all.at[row]} ${all.steps[row]}`;
  const lastByKey = (checkpoint: number) =>
    new Map(
      Array.from(all.checkpointOf.keys())
        .filter((row) => all.checkpointOf[row] === checkpoint && !Number.isNaN(all.calculated[row]!))
        .map((row) => [keyOf(row), row]),
    );
  const ofNewest = lastByKey(newest);
  const errorsOf = (rows: readonly number[]) => overrideErrors(all, rows).calculated;
  return labels
    .flatMap((label, checkpoint) => {
      const rows =
        checkpoint === newest ? [] : [...lastByKey(checkpoint)].filter(([key]) => ofNewest.has(key));
      if (rows.length === 0) return [];
      return {
        label,
        rows: rows.length,
        own: errorsOf(rows.map(([, row]) => row)),
        newest: errorsOf(rows.map(([key]) => ofNewest.get(key)!)),
      };
    })
    .sort((a, b) => b.rows - a.rows)
    .slice(0, limits.trackedGroups);
}

function overrideRecord(
  all: Compared,
  { period, timezone }: Pick<TrackRecord, "period" | "timezone">,
  overrides: readonly OverrideFacts[],
): TrackRecord["overrides"] {
  // A value may be set where the model calculated none.
  const rows = Array.from(all.times.keys()).filter(
    (row) => all.overrideOf[row] !== -1 && !Number.isNaN(all.calculated[row]!),
  );
  if (rows.length === 0) return null;
  const errorsOf = (some: readonly number[]) => overrideErrors(all, some);
  const by = (name: keyof OverrideFacts) =>
    [...Map.groupBy(rows, (row) => overrides[all.overrideOf[row]!]![name])]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, limits.trackedGroups);
  let start = 0;
  const periods = measurePeriods(takeJudged(all, Int32Array.from(rows)), period, timezone).map(
    ({ from, to, rows: count }) => {
      const own = rows.slice(start, start + count);
      start += count;
      return { from, to, ...errorsOf(own) };
    },
  );
  return {
    ...errorsOf(rows),
    periods,
    authors: by("author").map(([author, own]) => ({ author, ...errorsOf(own) })),
    reasons: by("reason").map(([reason, own]) => ({ reason, ...errorsOf(own) })),
  };
}

function overrideErrors(all: Compared, rows: readonly number[]): OverrideErrors {
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  const actual = take(all.actual);
  const errors = (values: Float64Array) => {
    const { rmse, mae } = regressionMetrics(actual, take(values));
    return { rmse, mae };
  };
  return {
    rows: rows.length,
    effective: errors(all.predicted),
    calculated: errors(all.calculated),
    baseline: errors(all.baseline),
  };
}
