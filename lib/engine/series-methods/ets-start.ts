import { filledGaps } from "./gaps.ts";
import { centredMeans } from "./season.ts";

export type EtsForm = {
  error: "additive" | "multiplicative";
  trend: "none" | "additive" | "damped";
  season: "none" | "additive" | "multiplicative";
};

/** Returns the start of the search: a line through the first seasons, and the seasonal deviations from it. */
export function startOf(values: Float64Array, form: EtsForm, season: number) {
  const length = Math.min(values.length, Math.max(10, 2 * season, Math.min(4 * season, 60)));
  const first = filledGaps(values.subarray(0, Math.max(length, 10)));
  const shape = new Float64Array(Math.max(1, season));
  const isProduct = form.season === "multiplicative";
  if (season > 0) {
    const smooth = centredMeans(first, season);
    const counts = new Float64Array(season);
    first.forEach((value, i) => {
      const middle = smooth[i]!;
      if (Number.isNaN(middle)) return;
      shape[i % season]! += isProduct ? value / middle : value - middle;
      counts[i % season]!++;
    });
    let total = 0;
    for (let i = 0; i < season; i++) {
      shape[i] = counts[i]! > 0 ? shape[i]! / counts[i]! : isProduct ? 1 : 0;
      total += shape[i]! / season;
    }
    for (let i = 0; i < season; i++) {
      if (isProduct) shape[i] = Math.max(1e-2, shape[i]! / total);
      else shape[i]! -= total;
    }
  }
  const adjusted = first.map((value, i) =>
    season === 0 ? value : isProduct ? value / shape[i % season]! : value - shape[i % season]!,
  );
  const { intercept, slope } = line(adjusted.subarray(0, Math.max(10, 2 * season)));
  let spread = 0;
  for (let i = 1; i < adjusted.length; i++) spread += Math.abs(adjusted[i]! - adjusted[i - 1]!);
  spread = Math.max(spread / Math.max(1, adjusted.length - 1), 1e-4);
  return form.trend === "none"
    ? { level: intercept + slope, slope: 0, season: shape, spread }
    : { level: intercept, slope, season: shape, spread };
}

/** Fits a least squares line; the abscissa of the first value is 1. */
function line(values: Float64Array) {
  const n = values.length;
  let sumY = 0;
  let sumXY = 0;
  values.forEach((value, i) => {
    sumY += value;
    sumXY += (i + 1) * value;
  });
  const meanX = (n + 1) / 2;
  const slope = n > 1 ? (sumXY - meanX * sumY) / ((n * (n * n - 1)) / 12) : 0;
  return { intercept: sumY / n - slope * meanX, slope };
}
