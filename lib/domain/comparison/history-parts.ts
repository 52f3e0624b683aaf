import type { FeatureContributions } from "#lib/engine/inference/contributions";

/** Maximum number of points at which the part of the known rows is split. */
export const HISTORY_POINTS_MAX = 50_000;

/** Returns the contributions of one model to the same rows, given the known rows of a side (0 or 1). */
export type ExplainWith = (model: 0 | 1, history: 0 | 1) => Promise<FeatureContributions | undefined>;

/**
 * Splits the part of the known rows into level and season. The season depends only on the known rows and on the
 * model, so its Shapley value is the mean change over both models.
 *
 * @param whole the part of the known rows at each point
 * @param isSame whether both scenarios have the same model
 * @returns null if no model separates a season, or if the season does not change
 */
export async function historyParts(
  whole: Float64Array,
  isSame: boolean,
  explain: ExplainWith,
): Promise<{ level: Float64Array; season: Float64Array } | null> {
  const season = new Float64Array(whole.length);
  for (const model of isSame ? ([0] as const) : ([0, 1] as const)) {
    for (const side of [0, 1] as const) {
      const weight = (side === 1 ? 1 : -1) / (isSame ? 1 : 2);
      addSeason(season, await explain(model, side), weight);
    }
  }
  if (season.every((value) => value === 0)) return null;
  return { level: whole.map((value, point) => value - season[point]!), season };
}

function addSeason(
  sums: Float64Array,
  contributions: FeatureContributions | undefined,
  weight: number,
): void {
  const places = contributions?.kinds.flatMap((kind, place) => (kind === "season" ? [place] : [])) ?? [];
  for (const place of places) {
    contributions!.values.forEach((values, point) => {
      sums[point]! += weight * values[place]!;
    });
  }
}
