import type { Table } from "#lib/contract/table";
import { type FeatureMatrix, gridIndexes } from "#lib/engine/features/build-features";
import { fitPipeline } from "#lib/engine/features/fit-pipeline";
import { type FeaturePipeline, targetReads } from "#lib/engine/features/pipeline";
import { trainingFeatures } from "#lib/engine/features/training-features";
import { numericValues } from "#lib/engine/table/columns";
import type { CandidateContext, CandidateSpec, Family, Learner } from "#lib/ml/model/learner";
import { type Range, tableOf } from "./folds.ts";
import { type QuickBoosting, trainLearner } from "./train-learner.ts";

/** A candidate that has learned from some rows. */
export type Fitted = {
  pipeline: FeaturePipeline;
  learner: Learner;
  /** 0 where no target that it learned from was below: then no prediction is. */
  floor: 0 | null;
};

export type FitOptions = {
  /** Learns from no more than so many of the latest rows; the feature steps are fitted on all of them. */
  rowsMax?: number | undefined;
  /** For a back-test: boosting in a hurry. */
  quick?: QuickBoosting | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
};

/** Fewer rows than this cannot be left to a linear model once those without their lags are left out. */
const ROWS_AFTER_WARM_UP_MIN = 8;

/** Learns from the rows of the ranges. Null where the candidate has no feature that varies. */
export function fitCandidate(
  context: CandidateContext,
  spec: CandidateSpec,
  ranges: readonly Range[],
  { rowsMax = Number.POSITIVE_INFINITY, ...options }: FitOptions = {},
): Fitted | null {
  const rows = tableOf(context.data.table, ranges);
  const pipeline = fitCandidatePipeline(context, spec, rows);
  const latest = Math.max(0, rows.rowCount - rowsMax);
  const warmUp = isLinear(spec.family) ? warmUpRows(context, pipeline, rows) : 0;
  const from = rows.rowCount - warmUp >= ROWS_AFTER_WARM_UP_MIN ? Math.max(latest, warmUp) : latest;
  const { names, columns } = learnedFeatures(context, pipeline, rows, from);
  if (columns.length === 0) return null;
  const target = numericValues(rows, context.target).subarray(from);
  const learner = trainLearner(context, { ...spec, ...options, pipeline, names, columns, target });
  return { pipeline, learner, floor: target.every((value) => value >= 0) ? 0 : null };
}

function isLinear(family: Family): boolean {
  return family !== "gradient_boosting";
}

/** Feature steps fitted on the given rows. */
function fitCandidatePipeline(
  context: CandidateContext,
  { family, set }: Pick<CandidateSpec, "family" | "set">,
  table: Table,
): FeaturePipeline {
  // These continue the series alone.
  const continues = family === "seasonal_naive" || family === "drift";
  return fitPipeline({
    table,
    target: context.target,
    timestamp: context.timestamp,
    timezone: context.timezone,
    grid: context.data.grid,
    inputs: continues ? [] : context.data.inputs,
    missing: context.missing,
    upstream: context.upstream,
    calendar: !continues && context.calendar,
    lags: set.lags,
    rolling: set.rolling,
    ...(continues ? {} : context.extra),
    family: isLinear(family) ? "linear" : "trees",
  });
}

/**
 * The rows at the beginning of the series of which some lag lies before its first value. A linear model that learned
 * from them would take the fill for an observation, which ruins it on a trend.
 */
function warmUpRows({ known }: CandidateContext, pipeline: FeaturePipeline, rows: Table): number {
  const furthest = pipeline.steps.reduce((most, step) => Math.max(most, targetReads(step)?.furthest ?? 0), 0);
  if (furthest === 0 || !known) return 0;
  const indexes = gridIndexes(pipeline, rows);
  const first = indexes.findIndex((index) => index - furthest >= known.firstIndex);
  return first < 0 ? rows.rowCount : first;
}

/** Model inputs of the table's rows from `from` on, every lag read from what was observed. */
function learnedFeatures(
  { known }: CandidateContext,
  pipeline: FeaturePipeline,
  table: Table,
  from: number,
): FeatureMatrix {
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  return trainingFeatures(pipeline, table, { from, to: table.rowCount, history });
}
