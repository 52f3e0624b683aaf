import { cholesky, solveCholesky } from "#lib/engine/learners/cholesky";
import type { Totals } from "./totals-of-series.ts";

/** Maximum correlation of the errors of series. */
const SHARED_MAX = 0.9;
/**
 * By how much the ratio of two mean errors of one total, from three origins, may differ by chance. Those of the total of
 * tourism two, four and six years before its end have a standard deviation of .27.
 */
const CHANCE = 0.3;

/** Divides differences between forecasts of totals and sums of series: from one row for each total to one for each series. */
export type Corrector = (differences: Float64Array, isActive: Uint8Array) => Float64Array;

/** Returns the levels whose totals' own forecasts do not err clearly more than the sums of their series. */
export function usefulLevels(
  { levels, count, members }: Totals,
  { changes, ofTotals, ofBase }: { changes: Float64Array; ofTotals: Float64Array; ofBase: Float64Array },
): number[] {
  const levelOf = new Int32Array(count);
  members.forEach((total, at) => {
    levelOf[total] = at % levels;
  });
  return Array.from({ length: levels }, (_, level) => level).filter((level) => {
    let [own, sums, size] = [0, 0, 0];
    for (let total = 0; total < count; total++) {
      if (levelOf[total] !== level || !(changes[total]! > 0)) continue;
      own += ofTotals[total]! / changes[total]!;
      sums += ofBase[total]! / changes[total]!;
      size++;
    }
    return size > 0 && own <= (1 + CHANCE / Math.sqrt(size)) * sums;
  });
}

/**
 * Returns how forecasts of totals that differ from the sums of their series correct these: generalised least squares with
 * variances from back-tests, and one correlation of the errors of all series (Wickramasuriya, Athanasopoulos and Hyndman 2019).
 */
export function correctorOf(
  { levels: width, count, members }: Totals,
  errors: {
    levels: readonly number[];
    ofTotals: Float64Array;
    ofSums: Float64Array;
    ofSeries: Float64Array;
    isActive: Uint8Array;
  },
): Corrector {
  const [linear, squares] = [new Float64Array(count), new Float64Array(count)];
  const series = errors.ofSeries.map((error, place) => (errors.isActive[place] ? error : 0));
  series.forEach((error, place) => {
    for (const level of errors.levels) {
      const total = members[place * width + level]!;
      linear[total]! += error;
      squares[total]! += error * error;
    }
  });
  const shared = sharedErrors(errors.ofSums, linear, squares);
  const matrix = new Float64Array(count * count);
  series.forEach((error, place) => {
    for (const a of errors.levels)
      for (const b of errors.levels)
        matrix[members[place * width + a]! * count + members[place * width + b]!]! +=
          (1 - shared) * error * error;
  });
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) matrix[a * count + b]! += shared * linear[a]! * linear[b]!;
    // Totals of other levels have zeros only, and no weight.
    if (linear[a]! > 0) matrix[a * count + a]! += errors.ofTotals[a]! ** 2;
  }
  const lower = cholesky(matrix, count);
  return (differences, isActive) => {
    const steps = differences.length / count;
    const corrections = new Float64Array(errors.ofSeries.length * steps);
    for (let step = 0; step < steps; step++) {
      const right = Float64Array.from({ length: count }, (_, total) => {
        const value = differences[total * steps + step]!;
        return Number.isNaN(value) ? 0 : value;
      });
      const weights = solveCholesky(lower, right, count);
      const common = shared * weights.reduce((sum, weight, total) => sum + weight * linear[total]!, 0);
      errors.ofSeries.forEach((error, place) => {
        if (!isActive[place]) return;
        let own = 0;
        for (const level of errors.levels) own += weights[members[place * width + level]!]!;
        corrections[place * steps + step] = error * ((1 - shared) * error * own + common);
      });
    }
    return corrections;
  };
}

/** Returns the correlation of the errors of two series that explains the errors of sums over series. */
function sharedErrors(ofSums: Float64Array, linear: Float64Array, squares: Float64Array): number {
  const width = ofSums.length / linear.length;
  let [excess, possible] = [0, 0];
  ofSums.forEach((error, at) => {
    const total = Math.floor(at / width);
    if (Number.isNaN(error) || squares[total] === 0) return;
    excess += error ** 2 / squares[total]! - 1;
    possible += linear[total]! ** 2 / squares[total]! - 1;
  });
  return possible > 0 ? Math.min(SHARED_MAX, Math.max(0, excess / possible)) : 0;
}
