import { FAMILY_METHODS, FAMILY_NAMES, type Hyperparameters } from "#lib/engine/inference/learner";
import type { Metrics, TargetMetric } from "#lib/engine/inference/model-files";
import { methodText } from "#lib/engine/series-methods/methods";
import type { CandidateContext } from "./candidate.ts";
import type { ForecastMode, LeaderboardEntry } from "./model-summary.ts";
import { meanError, type Tried } from "./search-candidates.ts";
import type { Finalist } from "./train-finalists.ts";

type LeaderboardRequest = {
  context: CandidateContext;
  tried: readonly Tried[];
  finalists: readonly Finalist[];
  metric: TargetMetric;
  baseline: { name: string; metrics: Metrics; errors: Pick<Tried, "scores" | "learned"> };
};

/** Returns all candidates, sorted by the rung that they reached and then by error; the baseline is last. */
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
  if (FAMILY_METHODS[family]) return "direct";
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
      : learner?.kind === "series"
        ? { methods: learner.methods.map(({ parameters }) => methodText(parameters)).join("; ") }
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

/** Converts errors to values of the metric: R² is inverted back. The value of a fold without predictions is null. */
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
