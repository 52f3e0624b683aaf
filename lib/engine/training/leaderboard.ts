import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import { isHigherBetter } from "#lib/contract/metric-names";
import type { TargetMetric } from "#lib/contract/models";
import { FAMILY_METHODS, modelNameOf } from "#lib/engine/inference/learner";
import type { Metrics } from "#lib/engine/inference/model-files";
import type { TrainedPredictor } from "#lib/engine/inference/row-predictor";
import { comparedError } from "./back-test.ts";
import type { CandidateContext, CandidateSpec, Fitted } from "./candidate.ts";
import { meanError } from "./choose-candidate.ts";
import { INPUTS_ONLY } from "./feature-sets.ts";
import { predictFold, predictorOf } from "./predict-fold.ts";
import type { Finalist } from "./train-finalists.ts";
import type { Tried } from "./tried.ts";

type LeaderboardRequest = {
  context: CandidateContext;
  /** The chosen model, fitted on all rows. */
  finalModel: Fitted;
  tried: readonly Tried[];
  finalists: readonly Finalist[];
  metric: TargetMetric;
  baseline: { name: string; metrics: Metrics; errors: Pick<Tried, "scores" | "learned"> };
};

/** Returns all candidates: the chosen one first, the others by rung and then by error, and the baseline last. */
export async function leaderboard({
  context,
  finalModel,
  tried,
  finalists,
  metric,
  baseline,
}: LeaderboardRequest): Promise<LeaderboardEntry[]> {
  const chosen = finalists[0]!.tried;
  const comparedBy = ({ loss }: Hyperparameters) => (loss === "quantile" ? "pinball" : metric);
  const order = [...tried].sort(
    (a, b) => Number(b === chosen) - Number(a === chosen) || b.rung - a.rung || meanError(a) - meanError(b),
  );
  const entryOf = async (one: Tried): Promise<LeaderboardEntry> => {
    const finalist = finalists.find((other) => other.tried === one);
    const served = one === chosen ? finalModel : finalist?.fitted;
    const predictor = served && predictorOf(context, served);
    const members = finalist && predictor && (await membersOf(context, finalist, predictor, metric));
    return {
      name: modelNameOf(one, context.classes),
      algorithm: one.family,
      features: featuresOf(one, context),
      settings: settingsOf(one.hyperparameters, predictor),
      mode: forecastMode(one, context),
      horizon: context.horizon,
      chosen: one === chosen,
      rung: one.rung,
      backTest: backTestOf(one, comparedBy(one.hyperparameters)),
      validation: finalist?.validation ?? null,
      ...(members && members.length > 0 && { members }),
      seconds: Math.round(one.seconds * 100) / 100,
    };
  };
  const entries: LeaderboardEntry[] = [];
  for (const one of order) entries.push(await entryOf(one));
  const naive: LeaderboardEntry = {
    name: `Baseline: ${baseline.name}`,
    algorithm: "baseline",
    features: "none",
    chosen: false,
    backTest: backTestOf(baseline.errors, comparedBy(chosen.hyperparameters)),
    validation: baseline.metrics,
  };
  return [...entries, naive];
}

/** Names the features of a candidate. Without lags, only those that the data and the request have. */
function featuresOf({ family, set, logs, parts }: CandidateSpec, context: CandidateContext): string {
  if (parts) return [...new Set(parts.map(({ spec }) => featuresOf(spec, context)))].join("; ");
  const { data, timestamp, calendar } = context;
  if (set.name !== INPUTS_ONLY.name) return logs ? `${set.name}, of logarithms` : set.name;
  const used = [data.inputs.length > 0 && "inputs", timestamp !== null && calendar && "calendar"];
  const named = (family !== "mean" && used.filter(Boolean).join(" and ")) || "none";
  return logs ? `${named}, of logarithms` : named;
}

function forecastMode(
  { set, family, parts }: CandidateSpec,
  context: CandidateContext,
): LeaderboardEntry["mode"] {
  const { horizon, extra } = context;
  if (parts) {
    const modes = parts.map(({ spec }) => forecastMode(spec, context));
    return (["recursive", "direct"] as const).find((mode) => modes.includes(mode)) ?? "independent";
  }
  if (FAMILY_METHODS[family]) return "direct";
  const differences = family === "seasonal_naive" ? [] : (extra.differences ?? []);
  const shifts = [...set.lags, ...[...set.rolling, ...differences].map(({ shift }) => shift)];
  if (shifts.length === 0 || horizon === null) return "independent";
  return Math.min(...shifts) < horizon ? "recursive" : "direct";
}

/**
 * Returns the members of a combination: their weight over the horizon after the last row, and their error on the
 * validation rows when each is fitted on the training rows and predicts alone.
 */
async function membersOf(
  context: CandidateContext,
  { fitted, validated, tried }: Finalist,
  { members, memberWeights }: TrainedPredictor,
  metric: TargetMetric,
): Promise<NonNullable<LeaderboardEntry["members"]>> {
  const { known, horizon, data } = context;
  if (members.length === 0 || (known === null && tried.parts === undefined)) return [];
  const weights = memberWeights(known, horizon ?? 1);
  const rows = { from: data.trainingRows, to: data.targets.length };
  const errors = new Map<string, number | null>();
  for (const { key, alone } of predictorOf(context, fitted).members) {
    const { predictions } = await predictFold(context, fitted, rows, { predictor: alone });
    const error = comparedError(metric, tried.hyperparameters, validated.actual, predictions);
    const value = isHigherBetter(metric) ? 1 - error : error;
    errors.set(key, Number.isFinite(value) ? value : null);
  }
  return members.map(({ key, name }, at) => ({
    name,
    weight: weights[at]!,
    error: errors.get(key) ?? null,
  }));
}

function settingsOf(hyperparameters: Hyperparameters, predictor: TrainedPredictor | undefined) {
  const { monotone, ...plain } = hyperparameters;
  const directions = monotone && Object.entries(monotone).map(([name, way]) => `${name} ${way}`);
  const settings = Object.entries({
    ...plain,
    ...predictor?.settings,
    monotone: directions?.join(", "),
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(settings) as Record<string, number | boolean | string>;
}

/** Converts errors back to values of the metric. The value of a fold without predictions is null. */
function backTestOf(
  { scores, learned }: Pick<Tried, "scores" | "learned">,
  metric: TargetMetric | "pinball",
): NonNullable<LeaderboardEntry["backTest"]> | null {
  if (scores.length === 0) return null;
  const values = scores.map((error) =>
    Number.isFinite(error) ? (isHigherBetter(metric) ? 1 - error : error) : null,
  );
  if (values.includes(null)) return { metric, folds: values, mean: null, spread: null };
  const known = values as number[];
  const middle = meanError({ scores: known, learned });
  const squares = known.map((value) => (value - middle) ** 2);
  return {
    metric,
    folds: known,
    mean: middle,
    spread: Math.sqrt(meanError({ scores: squares, learned })),
  };
}
