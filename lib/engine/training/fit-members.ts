import { INTERVAL_LEVEL } from "#lib/contract/interval-shape";
import { type FeaturePipeline, shortestTargetShift } from "#lib/engine/features/pipeline";
import type { BlendLearner, Learner, SingleLearner } from "#lib/engine/inference/learner";
import { studentQuantile } from "#lib/engine/intervals/difference-interval";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import type { Ensemble } from "#lib/engine/learners/tree";
import { type CandidateContext, type CandidateSpec, type Fitted, withFound } from "./candidate.ts";
import { fitWork } from "./collect-out-of-sample.ts";
import { fitCandidate } from "./fit-candidate.ts";
import { fitInputs } from "./fit-series.ts";

const LINEAR_MEMBERS = 20;
const TREE_MEMBERS = 10;
/** Maximum number of multiplications for all members, which take about a second. */
const WORK = 4e8;
/** Maximum number of latest rows of a member. */
const ROWS_MAX = 20_000;
/** Boosting settings of a member. */
const QUICK = { rounds: 60, learningRate: 0.2 };
/** Minimum number of blocks per sample. */
const BLOCKS_MIN = 8;
const ROWS_MIN = 2 * BLOCKS_MIN;

/**
 * Refits the final model on block-bootstrap samples of its rows (Künsch 1989). The spread of the members estimates the
 * uncertainty of the model's effects. Returns no members for a model without learned effects, or if refits take long.
 *
 * With lags of the target, an input's effect also acts through the lags. The rows do not show whether this effect is
 * real, or whether the lags only carry on errors that fade (Cochrane and Orcutt 1949). So every second member assumes
 * that effects are immediate.
 */
export function fitMembers(
  context: CandidateContext,
  tried: CandidateSpec,
  { learner, pipeline }: Pick<Fitted, "learner" | "pipeline">,
): Learner[] {
  return learner.kind === "blend"
    ? membersOfBlend(context, tried, learner)
    : membersOfOneKind(context, tried, { learner, pipeline });
}

/** Refits each part to the same samples. A part without members is in all members as it is. */
function membersOfBlend(context: CandidateContext, tried: CandidateSpec, { parts }: BlendLearner): Learner[] {
  const found = parts.map(({ factor, pipeline, learner }, at) => {
    const spec = tried.parts?.[at]?.spec ?? tried;
    return membersOfOneKind(factor === undefined ? context : context.ofLogs!, spec, { learner, pipeline });
  });
  const counts = found.flatMap(({ length }) => (length > 0 ? [length] : []));
  const count = counts.length > 0 ? Math.min(...counts) : 0;
  return Array.from({ length: count }, (_, member) => ({
    kind: "blend",
    parts: parts.map((part, at) => ({ ...part, learner: found[at]![member] ?? part.learner })),
  }));
}

function membersOfOneKind(
  context: CandidateContext,
  tried: CandidateSpec,
  { learner, pipeline }: { learner: SingleLearner; pipeline: FeaturePipeline },
): SingleLearner[] {
  const { targets } = context.data;
  const learns = ["ridge", "elastic_net", "gradient_boosting"].includes(tried.family);
  const hasInputs = learner.kind === "series" && learner.inputs !== null;
  if ((!learns && !hasInputs) || targets.length < ROWS_MIN) return [];
  const count = learner.kind === "trees" ? TREE_MEMBERS : LINEAR_MEMBERS;
  const rows = Math.min(targets.length, ROWS_MAX);
  const work =
    learner.kind === "series" ? rows * learner.inputs!.coefficients.length ** 2 : fitWork(learner, rows);
  if (count * work * (learner.kind === "trees" ? QUICK.rounds / 150 : 1) > WORK) return [];
  const ranges = [{ from: 0, to: targets.length }];
  const blocks = blocksOf(context, rows);
  const regression = learner.kind === "series" ? learner.inputs : learner.kind === "linear" ? learner : null;
  const alpha = regression?.alpha;
  // Within the context of the logarithms, the candidate is an ordinary one.
  const spec = { ...withFound(tried, learner), logs: false };
  const readsBack = learner.kind !== "series" && shortestTargetShift(pipeline) !== null;
  const mean = targets.reduce((sum, value) => sum + value, 0) / targets.length;
  /** Fits the immediate effects of the inputs to the rows of a sample, or to all rows. */
  const effects = (sample?: Sample) => fitInputs(context, pipeline, ranges, { alpha, sample });
  const immediate = readsBack && learner.kind === "linear" ? effects() : null;
  return Array.from({ length: count }, (_, member): SingleLearner => {
    if (context.shouldStop()) throw new TrainingCancelled();
    const sample = blockSample(context, context.seed + member);
    const withoutLags = readsBack && member % 2 === 1;
    if (learner.kind === "series") {
      return { ...learner, inputs: widened(effects(sample)!, learner.inputs!, blocks) };
    }
    if (withoutLags && immediate) {
      const refit = widened(effects(sample)!, immediate, blocks);
      return { ...refit, intercept: refit.intercept + mean };
    }
    const own = { ...context, seed: context.seed + member };
    const options = { quick: QUICK, rowsMax: ROWS_MAX, sample, withoutLags };
    const refit = fitCandidate(own, spec, ranges, options)!.learner as SingleLearner;
    if (refit.kind === "trees" && withoutLags) return withoutLevel(refit);
    return refit.kind === "linear" && learner.kind === "linear" ? widened(refit, learner, blocks) : refit;
  });
}

/** Replaces the recent level, to which the trees learned differences, by its mean. */
function withoutLevel({ base, ...trees }: Ensemble): Ensemble {
  return base ? { ...trees, center: (trees.center ?? 0) + base.intercept } : trees;
}

/**
 * Moves a refit away from the final model, because refits vary too little. Samples of b blocks have (b − 1) / b of the
 * variance. Residuals of n rows after a fit of p coefficients have (n − p) / n of it. The variance itself is estimated from
 * b blocks, so Student's t has fewer degrees of freedom than the members suggest.
 */
function widened(refit: LinearModel, finalModel: LinearModel, { count, rows }: Blocks): LinearModel {
  const free = Math.max(rows / 2, rows - finalModel.coefficients.length - 1);
  const few = Math.max(1, count - 1);
  const freedom = 1 / (1 / few + 1 / (LINEAR_MEMBERS - 1));
  const tails =
    studentQuantile(INTERVAL_LEVEL, freedom) / studentQuantile(INTERVAL_LEVEL, LINEAR_MEMBERS - 1);
  const factor = tails * Math.sqrt((count / few) * (rows / free));
  const away = (from: number, to: number) => from + factor * (to - from);
  return {
    ...refit,
    coefficients: refit.coefficients.map((coefficient, i) => away(finalModel.coefficients[i]!, coefficient)),
    intercept: away(finalModel.intercept, refit.intercept),
  };
}

/** Draws the rows to learn from, given the number of rows. */
type Sample = (rows: number) => Int32Array;

type Blocks = { length: number; count: number; rows: number };

/**
 * Returns the blocks of a sample. Their length grows like the cube root of the rows (Hall, Horowitz and Jing 1995), so that
 * most autocorrelation lies within the blocks. Rows in random order are drawn one by one.
 */
function blocksOf({ data }: CandidateContext, rows: number): Blocks {
  const longest = Math.max(1, Math.floor(rows / BLOCKS_MIN));
  const length = data.order === "time" ? Math.min(Math.round(2 * Math.cbrt(rows)), longest) : 1;
  return { length, count: Math.ceil(rows / length), rows };
}

/** Returns a function that draws as many rows as there are, in blocks. */
function blockSample(context: CandidateContext, seed: number): Sample {
  const random = seededRandom(seed);
  return (rows) => {
    const { length } = blocksOf(context, rows);
    let start = 0;
    return Int32Array.from({ length: rows }, (_, at) => {
      if (at % length === 0) start = Math.floor(random.next() * (rows - length + 1));
      return start + (at % length);
    });
  };
}
