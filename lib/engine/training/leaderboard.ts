import type { Metrics, TargetMetric } from "#lib/engine/inference/model-files";
import { type CandidateContext, FAMILY_NAMES, type Hyperparameters } from "#lib/ml/model/learner";
import type { ForecastMode, LeaderboardEntry } from "./model-summary.ts";
import { meanError, type Tried } from "./search-candidates.ts";
import type { Finalist } from "./train-finalists.ts";

export type LeaderboardRequest = {
  context: CandidateContext;
  tried: readonly Tried[];
  finalists: readonly Finalist[];
  metric: TargetMetric;
  baseline: { name: string; metrics: Metrics; errors: Pick<Tried, "scores" | "learned"> };
};

/** Everything that was tried: what came furthest first, there the least error; the baseline at the end. */
export function leaderboard({
  context,
  tried,
  finalists,
  metric,
  baseline,
}: LeaderboardRequest): LeaderboardEntry[] {
  const kept = finalists[0]!.tried;
  const comparedBy = ({ loss }: Hyperparameters) => (loss === "quantile" ? "pinball" : metric);
  const order = [...tried].sort(
    (a, b) => Number(b === kept) - Number(a === kept) || b.rung - a.rung || meanError(a) - meanError(b),
  );
  const entries = order.map((one): LeaderboardEntry => {
    const finalist = finalists.find((other) => other.tried === one);
    return {
      name: FAMILY_NAMES[one.family],
      algorithm: one.family,
      features: one.set.name,
      settings: settingsOf(one.hyperparameters, finalist),
      mode: forecastMode(one, context),
      horizon: context.horizon,
      chosen: one === kept,
      rung: one.rung,
      backTest: backTestOf(one, comparedBy(one.hyperparameters)),
      validation: finalist?.validation ?? null,
      seconds: Math.round(one.seconds * 100) / 100,
    };
  });
  const naive: LeaderboardEntry = {
    name: `Baseline: ${baseline.name}`,
    algorithm: "baseline",
    features: "none",
    chosen: false,
    backTest: backTestOf(baseline.errors, comparedBy(kept.hyperparameters)),
    validation: baseline.metrics,
  };
  return [...entries, naive];
}

function forecastMode({ set, family }: Tried, { horizon, extra }: CandidateContext): ForecastMode {
  const differences = family === "seasonal_naive" ? [] : (extra.differences ?? []);
  const shifts = [...set.lags, ...[...set.rolling, ...differences].map(({ shift }) => shift)];
  if (shifts.length === 0 || horizon === null) return "independent";
  return Math.min(...shifts) < horizon ? "recursive" : "direct";
}

function settingsOf(hyperparameters: Hyperparameters, finalist: Finalist | undefined) {
  const learner = finalist?.fitted.learner;
  const found =
    learner?.kind === "linear"
      ? { alpha: learner.alpha, l1Ratio: learner.l1Ratio }
      : learner
        ? { rounds: learner.trees.length }
        : {};
  const { monotone, ...plain } = hyperparameters;
  const directions = monotone && Object.entries(monotone).map(([name, way]) => `${name} ${way}`);
  const settings = Object.entries({ ...plain, ...found, monotone: directions?.join(", ") }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(settings) as Record<string, number | boolean | string>;
}

/** Errors as values of the metric: R² is turned back. A fold that could not be predicted has none. */
function backTestOf(
  { scores, learned }: Pick<Tried, "scores" | "learned">,
  metric: TargetMetric | "pinball",
): NonNullable<LeaderboardEntry["backTest"]> | null {
  if (scores.length === 0) return null;
  const values = scores.map((error) =>
    Number.isFinite(error) ? (metric === "r2" ? 1 - error : error) : null,
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
