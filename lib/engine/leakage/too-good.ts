import type { ModelSummary } from "#lib/engine/training/model-summary";
import { SUSPICIOUS_R2 } from "./find-suspects.ts";

/** Share of the importance of inputs that the named columns have together. */
const NAMED_SHARE = 0.95;
const NAMED_MAX = 5;

type Summary = Pick<ModelSummary, "trainingMetrics" | "inputFeatures" | "importance">;

/**
 * Returns the share of the naive forecast's squared error that a model explains, if the share is too good to be true, and
 * the inputs that explain most of it. Null otherwise, and for a model that mainly uses the past or the calendar.
 */
export function tooGood({
  trainingMetrics: { validation, baseline },
  inputFeatures,
  importance,
}: Summary): { r2: number; columns: string[] } | null {
  const [error, naive] = [validation?.rmse, baseline?.rmse];
  if (typeof error !== "number" || typeof naive !== "number" || !(naive > 0)) return null;
  const r2 = 1 - (error / naive) ** 2;
  if (r2 <= SUSPICIOUS_R2) return null;
  const inputs = new Set(inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name));
  const used = importance
    .filter(({ feature, gain }) => inputs.has(feature) && gain > 0)
    .toSorted((a, b) => b.gain - a.gain);
  const total = used.reduce((sum, { gain }) => sum + gain, 0);
  if (total < 0.5) return null;
  const columns: string[] = [];
  let share = 0;
  for (const { feature, gain } of used) {
    if (share >= NAMED_SHARE * total || columns.length === NAMED_MAX) break;
    columns.push(feature);
    share += gain;
  }
  return { r2, columns };
}
