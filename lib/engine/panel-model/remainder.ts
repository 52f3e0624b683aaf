import { exp } from "#lib/engine/learners/exp";
import type { PanelLearner, SeriesEffects } from "./panel-learner.ts";

/** Largest sum of effects as logarithm. Beyond e^6, about 400 times, an input is a typing error. */
const SUM_MAX = 6;

/**
 * Sums the effects of each row's model inputs: 0 at their means, and 0 for a missing value.
 *
 * @param columns model inputs of the rows
 */
export function effectSums(
  { effects, centers }: SeriesEffects,
  columns: readonly Float32Array[],
  rows: number,
) {
  const sums = new Float64Array(rows);
  for (let at = 0; at < columns.length; at++) {
    const [effect, center, column] = [effects[at]!, centers[at]!, columns[at]!];
    if (effect === 0) continue;
    for (let row = 0; row < rows; row++) {
      const part = effect * (column[row]! - center);
      if (!Number.isNaN(part)) sums[row]! += part;
    }
  }
  return sums;
}

const bounded = (sum: number) => Math.min(SUM_MAX, Math.max(-SUM_MAX, sum));

/** Returns a target value without the effects of its inputs. */
export function removeEffects(link: PanelLearner["link"], value: number, sum: number, scale: number): number {
  return link === "log" ? value / exp(bounded(sum)) : value - scale * sum;
}

/** Returns the prediction of a remainder and the effects of its inputs. */
export function addEffects(
  link: PanelLearner["link"],
  remainder: number,
  sum: number,
  scale: number,
): number {
  return link === "log" ? remainder * exp(bounded(sum)) : remainder + scale * sum;
}
