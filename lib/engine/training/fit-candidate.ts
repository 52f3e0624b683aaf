import type { Table } from "#lib/contract/table";
import { type FeatureMatrix, gridIndexes } from "#lib/engine/features/build-features";
import { fitPipeline } from "#lib/engine/features/fit-pipeline";
import { type FeaturePipeline, targetReads } from "#lib/engine/features/pipeline";
import { NO_HISTORY, type TargetHistory } from "#lib/engine/features/target-history";
import { trainingFeatures } from "#lib/engine/features/training-features";
import { FAMILY_METHODS, type SingleLearner } from "#lib/engine/inference/learner";
import { numericValues } from "#lib/engine/table/columns";
import type { BlendSpecPart, CandidateContext, CandidateSpec, Fitted } from "./candidate.ts";
import { type EarlierFit, fitSeries } from "./fit-series.ts";
import { type Range, sampled, tableOf } from "./folds.ts";
import { type QuickBoosting, trainLearner } from "./train-learner.ts";

type FitOptions = {
  /** Maximum number of latest rows to fit on; feature steps are fitted on all rows. */
  rowsMax?: number | undefined;
  /** Draws the rows to learn from, given the number of rows; by default each row once. */
  sample?: ((count: number) => Int32Array) | undefined;
  /** Whether lags of the target have no history, so that the model learns nothing from them. */
  withoutLags?: boolean | undefined;
  /** Earlier fit. A combination without inputs keeps the parameters of its methods, or only their form. */
  earlier?: EarlierFit | undefined;
  /** Fast boosting settings for a back-test. */
  quick?: QuickBoosting | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
};

/** Minimum number of rows for a linear model after rows without lags are dropped. */
const ROWS_AFTER_WARM_UP_MIN = 8;

/**
 * Fits a candidate on the rows of the ranges. Returns null if the candidate has no feature that varies. In a back-test, a
 * feature may vary only outside of a fold: the candidate then predicts a constant.
 */
export function fitCandidate(
  context: CandidateContext,
  spec: CandidateSpec,
  ranges: readonly Range[],
  { rowsMax = Number.POSITIVE_INFINITY, sample, withoutLags = false, ...options }: FitOptions = {},
): Fitted | null {
  if (spec.parts) {
    const parts = spec.parts.map((part) =>
      fitCandidate(context, part.spec, ranges, { rowsMax, sample, withoutLags, ...options }),
    );
    return joinParts(spec.parts, parts);
  }
  if (spec.logs) {
    const fitted = fitCandidate(context.ofLogs!, { ...spec, logs: false }, ranges, {
      rowsMax,
      sample,
      withoutLags,
      ...options,
    });
    return fitted && joinLogs(fitted, spec.factor);
  }
  if (FAMILY_METHODS[spec.family]) return fitSeries(context, spec, ranges, options.earlier);
  const rows = tableOf(context.data.table, ranges);
  const pipeline = fitCandidatePipeline(context, spec, rows);
  const latest = Math.max(0, rows.rowCount - rowsMax);
  const warmUp = readsLinearFeatures(spec) ? warmUpRows(context, pipeline, rows) : 0;
  const from = rows.rowCount - warmUp >= ROWS_AFTER_WARM_UP_MIN ? Math.max(latest, warmUp) : latest;
  const { columns } = learnedFeatures(withoutLags ? NO_HISTORY : context.known, pipeline, rows, from);
  if (columns.length === 0 && options.quick === undefined) return null;
  const targets = numericValues(rows, context.target);
  const target = targets.subarray(from);
  const drawn = sample?.(target.length);
  const learned = drawn
    ? { columns: columns.map((column) => sampled(column, drawn)), target: sampled(target, drawn) }
    : { columns, target };
  const floor = context.classes === null && targets.every((value) => value >= 0) ? 0 : null;
  const learner = trainLearner(context, { ...spec, ...options, pipeline, ...learned });
  return { pipeline, learner, floor };
}

/** Returns the model of the logarithms as a model of the target. */
function joinLogs({ pipeline, learner }: Fitted, factor = 1): Fitted {
  const parts = [{ weight: 1, factor, pipeline, learner: learner as SingleLearner }];
  return { pipeline, learner: { kind: "blend", parts }, floor: 0 };
}

/**
 * Joins the fits of the parts of a blend. A part without a fit is left out.
 *
 * @returns null without a part
 */
export function joinParts(parts: readonly BlendSpecPart[], fits: readonly (Fitted | null)[]): Fitted | null {
  const found = parts.flatMap(({ weight }, at) => (fits[at] ? [{ weight, fitted: fits[at] }] : []));
  if (found.length === 0) return null;
  const total = found.reduce((sum, { weight }) => sum + weight, 0);
  const steps = new Map(
    found.flatMap(({ fitted }) => fitted.pipeline.steps.map((step) => [JSON.stringify(step), step])),
  );
  return {
    // Describes what the parts read; each part has its own features.
    pipeline: { ...found[0]!.fitted.pipeline, steps: [...steps.values()] },
    learner: {
      kind: "blend",
      parts: found.flatMap(({ weight, fitted: { pipeline, learner } }) =>
        (learner.kind === "blend" ? learner.parts : [{ weight: 1, pipeline, learner }]).map((part) => ({
          ...part,
          weight: (part.weight * weight) / total,
        })),
      ),
    },
    floor: found.every(({ fitted }) => fitted.floor === 0) ? 0 : null,
  };
}

/** Checks whether the model inputs must suit a linear model: scaled and without missing values. */
function readsLinearFeatures({ family, hyperparameters }: CandidateSpec): boolean {
  return family !== "gradient_boosting" || hyperparameters.targetTransform === "difference";
}

/** Fits the feature steps on the given rows. */
function fitCandidatePipeline(context: CandidateContext, spec: CandidateSpec, table: Table): FeaturePipeline {
  const { family, set } = spec;
  // These families use only the series.
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
    logs: context.isOfLogs,
    ...(continues ? {} : context.extra),
    family: readsLinearFeatures(spec) ? "linear" : "trees",
  });
}

/**
 * Counts the rows at the start of the series with a lag before the first value. A linear model fitted on these rows
 * would treat the fill value as an observation, which ruins it on a trend.
 */
function warmUpRows({ known }: CandidateContext, pipeline: FeaturePipeline, rows: Table): number {
  const furthest = pipeline.steps.reduce((most, step) => Math.max(most, targetReads(step)?.furthest ?? 0), 0);
  if (furthest === 0 || !known) return 0;
  const indexes = gridIndexes(pipeline, rows);
  const first = indexes.findIndex((index) => index - furthest >= known.firstIndex);
  return first < 0 ? rows.rowCount : first;
}

/** Returns the model inputs of the table's rows from `from` on; every lag reads observations. */
function learnedFeatures(
  known: TargetHistory | null,
  pipeline: FeaturePipeline,
  table: Table,
  from: number,
): FeatureMatrix {
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  return trainingFeatures(pipeline, table, { from, to: table.rowCount, history });
}
