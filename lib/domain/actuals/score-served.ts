import { limits } from "#lib/contract/limits";
import type { OverrideErrors, TrackRecord } from "#lib/contract/track-record";
import { parseFrequency } from "#lib/engine/features/frequency";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { type Compared, compareRows, type ServedAndKnown } from "./compare-rows.ts";
import { chartPoints, measure, takeJudged } from "./measure.ts";
import { choosePeriod, measurePeriods } from "./periods.ts";
import type { OverrideFacts } from "./served-runs.ts";

export type ScoreServed = ServedAndKnown & {
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

/** Compares predictions of runs with the actual values that came. Returns null if none has come. */
export async function scoreServed(request: ScoreServed): Promise<Scored | null> {
  const { grid, maxPoints } = request;
  const compared = compareRows(request);
  if (compared === null) return null;
  const { parts, all } = compared;
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
