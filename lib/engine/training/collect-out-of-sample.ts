import type { Table } from "#lib/contract/table";
import { requiredColumns } from "#lib/engine/features/build-features";
import { rowIndexes } from "#lib/engine/forecasting/naive-forecast";
import { type PastInputs, pastInputs } from "#lib/engine/forecasting/past-inputs";
import type { Learner, SingleLearner } from "#lib/engine/inference/learner";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import { methodOf } from "#lib/engine/series-methods/methods";
import { withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { byOrigin } from "./back-test.ts";
import { type CandidateContext, type CandidateSpec, type Fitted, withFound } from "./candidate.ts";
import { fitCandidate } from "./fit-candidate.ts";
import type { EarlierFit } from "./fit-series.ts";
import { predictFold } from "./predict-fold.ts";
import type { Finalist } from "./train-finalists.ts";

// Intervals need errors of predictions that look as far ahead as in use, by models that had not learned the rows. A forecast
// origin is the number of rows that such a model knows; it predicts the next `horizon` rows.
//
// For example, a ridge regression on 1,000 days with a horizon of 56. A fit is cheap, so 24 origins each get their own: 400,
// 426, 452, …, 999. The one at 400 predicts rows 400 to 455, the next one rows 426 to 481, so most rows are predicted twice, and
// the first steps ahead have some 20 errors each. Boosting on 17,000 hours with 12 features costs 31 million multiplications a fit,
// so the work allows four. With a horizon of 168, the 21 origins of the validation rows then stay, and each fit serves six.
//
// Errors on learned rows cost nothing, but are too small, because trees nearly know these rows by heart. Errors of one origin are
// cheap and out of sample, but they are correlated: if sales were high that month, all 56 predictions are too low.

/** Maximum number of new forecast origins. */
const ORIGINS_MAX = 24;
/** Maximum number of multiplications of all fits together, which take about a second. */
const WORK = 1.5e8;
/** Boosting settings of each fit. */
const QUICK = { rounds: 150, learningRate: 0.1 };
/** Minimum fraction of the rows before the first origin. */
const FIRST_PART = 0.4;
/** Minimum number of rows before the first origin. These rows have complete lags, except in a short series. */
const LEARNED_MIN = 6;
/** Maximum number of fits of a series method. Between two fits, a method keeps its parameters and takes the new observations. */
const SERIES_FITS_MAX = 4;

/** Predictions of a candidate for rows that it had not learned from. */
export type OutOfSampleRows = {
  /** By models fitted on rows before each of several origins; for rows in random order, by models of the other folds. */
  backTests: OutOfSample[];
  validation: OutOfSample;
  /** Predictions whose errors calibrate the intervals of the model that is fitted on all rows. */
  calibration: OutOfSample[];
} & ByGenerator<OutOfSample[]>;

type ByGenerator<T> = {
  /**
   * Predictions of calibration rows from generated inputs of this project and its upstream projects. Rows with too few
   * earlier rows are absent; empty without own inputs.
   */
  generated: T;
  /** The same from generated inputs of the upstream projects only; empty without upstream predictions. */
  upstream: T;
};

/**
 * Collects predictions of rows that the predicting model had not seen.
 *
 * The search and the validation rows already have origins. If the work allows more fits than there are such origins, up to
 * 24 new origins are used, each with its own fit, as when a model serves. Otherwise the existing origins are used, with as many
 * fits as the work allows. Series methods: up to 24 new origins and 4 fits.
 */
export async function collectOutOfSample(
  context: CandidateContext,
  finalist: Finalist,
): Promise<OutOfSampleRows> {
  const { data, horizon } = context;
  const { tried, validated } = finalist;
  const shared = { backTests: tried.backTests, validation: validated, generated: [], upstream: [] };
  // A probability has no prediction interval.
  if (context.classes) return { ...shared, calibration: [] };
  if (data.order === "random") return { ...shared, calibration: [validated] };
  const positions = context.known && rowIndexes(context.known, data.targets.length);
  const split = (some: readonly OutOfSample[]) => some.flatMap((rows) => byOrigin(rows, positions));
  const searched = split(tried.backTests);
  const later = split([validated]);
  if (horizon === null) return { ...shared, calibration: [...searched, ...later] };
  const rows = data.targets.length;
  const first = firstOrigin(finalist, rows);
  const generators = generatorsOf(context, finalist, horizon);
  const fits = Math.min(ORIGINS_MAX, rows - first, Math.floor(WORK / fitWork(finalist.fitted.learner, rows)));
  const isSeries = partsOf(finalist.fitted.learner).some(({ kind }) => kind === "series");
  if (isSeries || fits > searched.length + later.length) {
    const origins = spread(first, rows, isSeries ? ORIGINS_MAX : fits);
    const { predicted, ...generated } = await predictFrom(context, finalist, origins, {
      length: horizon,
      generators,
      fits: isSeries ? Math.max(1, Math.min(fits, SERIES_FITS_MAX)) : origins.length,
    });
    return { backTests: predicted, validation: validated, calibration: predicted, ...generated };
  }
  // The first origin already has a fit. Each further fit serves `originsPerFit` origins.
  const originsPerFit = Math.ceil(later.length / Math.max(1, fits));
  const origins = later.flatMap(({ from }, i) => (i > 0 && i % originsPerFit === 0 ? [from] : []));
  const renewed = await predictFrom(context, finalist, origins, {
    length: originsPerFit * horizon,
    generators,
  });
  const start = later[0];
  const until = later[originsPerFit]?.from ?? rows;
  const started = start
    ? await predictGenerated(context, finalist.fitted, { from: start.from, to: until }, generators)
    : { generated: [], upstream: [] };
  return {
    ...shared,
    calibration: [...searched, ...later.slice(0, originsPerFit), ...split(renewed.predicted)],
    generated: split([...started.generated, ...renewed.generated]),
    upstream: split([...started.upstream, ...renewed.upstream]),
  };
}

/**
 * Returns generators of the columns that the model reads. `generated` is null without a regular series, without inputs, or
 * with too few rows. `upstream` is null without a regular series or without upstream columns.
 */
function generatorsOf(
  { data, timestamp, timezone, known, upstream, generatedUpstream, dateRules }: CandidateContext,
  { fitted: { pipeline } }: Finalist,
  horizon: number,
): ByGenerator<PastInputs | null> {
  if (data.grid === null || timestamp === null || known === null) return { generated: null, upstream: null };
  const read = new Set(requiredColumns(pipeline));
  const computed = new Set(upstream.map(({ feature }) => feature));
  const inputs = data.inputs.filter((name) => read.has(name) && !computed.has(name) && !dateRules.has(name));
  const columns = generatedUpstream.columns.filter(({ name }) => read.has(name));
  const own = pastInputs(data.table, { timestamp, timezone, grid: data.grid, horizon, inputs });
  const withUpstream = (rows: Table | null, { from, to }: { from: number; to: number }) =>
    rows && sliceRows({ ...generatedUpstream, columns }, from, to).columns.reduce(withColumn, rows);
  return {
    generated: own && ((range) => withUpstream(own(range), range)),
    upstream:
      columns.length > 0 ? (range) => withUpstream(sliceRows(data.table, range.from, range.to), range) : null,
  };
}

async function predictGenerated(
  context: CandidateContext,
  fitted: Fitted,
  { from, to }: { from: number; to: number },
  generators: ByGenerator<PastInputs | null>,
): Promise<ByGenerator<OutOfSample[]>> {
  const predict = async (generator: PastInputs | null): Promise<OutOfSample[]> => {
    const rows = generator?.({ from, to });
    if (!rows) return [];
    const { predictions, steps } = await predictFold(context, fitted, { from, to }, { rows });
    return [{ from, actual: context.data.targets.subarray(from, to), predicted: predictions, steps }];
  };
  return { generated: await predict(generators.generated), upstream: await predict(generators.upstream) };
}

const partsOf = (learner: Learner): SingleLearner[] =>
  learner.kind === "blend" ? learner.parts.map((part) => part.learner) : [learner];

function furthestRead({ set, parts = [] }: CandidateSpec): number {
  const windows = set.rolling.map(({ window, shift }) => window + shift);
  return Math.max(1, ...set.lags, ...windows, ...parts.map(({ spec }) => furthestRead(spec)));
}

function firstOrigin({ tried }: Finalist, rows: number): number {
  const furthest = furthestRead(tried);
  const learned = Math.min(Math.floor(rows / 2), furthest + LEARNED_MIN);
  return Math.max(LEARNED_MIN, learned, Math.floor(FIRST_PART * rows));
}

/** Returns at most `most` evenly spaced origins, from `first` to the one that predicts the last row. */
function spread(first: number, rows: number, most: number): number[] {
  const count = Math.min(most, rows - first);
  return Array.from(
    { length: count },
    (_, i) => first + Math.round((i * (rows - 1 - first)) / Math.max(1, count - 1)),
  );
}

/** Estimates the number of multiplications of one fit. */
export function fitWork(learner: Learner, rows: number): number {
  if (learner.kind === "blend")
    return learner.parts.reduce((sum, part) => sum + fitWork(part.learner, rows), 0);
  if (learner.kind === "series") {
    const each = learner.methods.reduce((sum, { parameters }) => sum + methodOf(parameters.method).work, 0);
    return Math.min(rows, 1_000) * each;
  }
  return learner.kind === "linear"
    ? rows * (learner.coefficients.length ** 2 + 50)
    : rows * learner.featureCount * QUICK.rounds;
}

/**
 * Predicts at most `length` rows from each origin. There are at most `fits` fits, each on the rows before an origin. At
 * other origins, the latest earlier fit predicts, after it has read the observations up to the origin. With `generators`,
 * also predicts from generated inputs.
 */
async function predictFrom(
  context: CandidateContext,
  { tried, fitted }: Finalist,
  origins: readonly number[],
  {
    length,
    generators,
    fits = origins.length,
  }: { length: number; generators: ByGenerator<PastInputs | null>; fits?: number },
): Promise<{ predicted: OutOfSample[] } & ByGenerator<OutOfSample[]>> {
  const { targets } = context.data;
  const { learner } = fitted;
  const spec = withFound(tried, learner);
  const predicted: OutOfSample[] = [];
  const generated: OutOfSample[] = [];
  const upstream: OutOfSample[] = [];
  const originsPerFit = Math.ceil(origins.length / fits);
  // The seasons of such a model do not follow observations, so they are renewed between two fits.
  const renews = learner.kind === "series" && learner.inputs === null && spec.family === "combination";
  let latestFit: Fitted | null = null;
  for (const [i, from] of origins.entries()) {
    if (context.shouldStop()) throw new TrainingCancelled();
    const to = Math.min(targets.length, from + length);
    const known = [{ from: 0, to: from }];
    if (i % originsPerFit === 0) {
      const earlier: EarlierFit | undefined = renews ? { fitted, keeps: "form" } : undefined;
      latestFit = fitCandidate(context, spec, known, { quick: QUICK, earlier });
    } else if (renews && latestFit) {
      latestFit = fitCandidate(context, spec, known, { earlier: { fitted: latestFit, keeps: "parameters" } });
    }
    if (latestFit === null) continue;
    const { predictions, steps } = await predictFold(context, latestFit, { from, to });
    predicted.push({ from, actual: targets.subarray(from, to), predicted: predictions, steps });
    const more = await predictGenerated(context, latestFit, { from, to }, generators);
    generated.push(...more.generated);
    upstream.push(...more.upstream);
  }
  return { predicted, generated, upstream };
}
