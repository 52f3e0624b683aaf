import { cholesky, solveCholesky } from "#lib/engine/learners/cholesky";
import type { SeriesEquations } from "./series-equations.ts";

/**
 * Distribution of the effects over series: their mean, the variance between series, and the sign that all must have
 * (0: any). A series without information of its own gets the mean.
 */
export type EffectPool = {
  means: Float64Array;
  variances: Float64Array;
  signs: Int8Array;
  /** Standard error of each mean. */
  errors: Float64Array;
};

const ROUNDS = 30;
const VARIANCE_MIN = 1e-8;
/** Mean effect, in standard errors and in standard deviations between series, from which its sign holds for all series. */
const SURE_ERRORS = 2;
const SURE_SPREADS = 1;

/**
 * Estimates the distribution of effects by the EM algorithm (empirical Bayes; Dempster, Laird and Rubin 1977): the more the
 * estimates of series differ beyond their own errors, the less each is shrunk to the mean.
 *
 * @param expected sign that the user expects of each effect: 1, -1, or 0 for any
 * @param mayBeSigned whether an effect's sign may be that of most series; not for the calendar
 */
export function poolEffects(
  series: readonly SeriesEquations[],
  size: number,
  { expected, mayBeSigned }: { expected: Int8Array; mayBeSigned: readonly boolean[] },
): EffectPool {
  const total = { information: new Float64Array(size * size), pull: new Float64Array(size) };
  for (const { information, pull } of series) {
    information.forEach((value, at) => {
      total.information[at]! += value;
    });
    pull.forEach((value, at) => {
      total.pull[at]! += value;
    });
  }
  let means = solveCholesky(cholesky(ridged(total.information, size, 1e-6), size), total.pull, size);
  let variances = new Float64Array(size).fill(0.25);
  const errors = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Float64Array(size);
    const squares = new Float64Array(size);
    const counts = new Float64Array(size);
    const all = series.map((one) => ({ one, ...posterior(one, means, variances) }));
    for (const { one, effects } of all)
      for (let at = 0; at < size; at++) {
        if (!(one.information[at * size + at]! > 0)) continue;
        counts[at]!++;
        sums[at]! += effects[at]!;
      }
    const next = means.map((mean, at) => (counts[at]! > 0 ? sums[at]! / counts[at]! : mean));
    for (const { one, effects, spreads } of all)
      for (let at = 0; at < size; at++)
        if (one.information[at * size + at]! > 0)
          squares[at]! += (effects[at]! - next[at]!) ** 2 + spreads[at]!;
    variances = squares.map((sum, at) =>
      Math.max(VARIANCE_MIN, counts[at]! > 0 ? sum / counts[at]! : VARIANCE_MIN),
    );
    means = next;
    variances.forEach((variance, at) => {
      errors[at] =
        counts[at]! > 0
          ? Math.sqrt(variance / counts[at]! + 1 / Math.max(total.information[at * size + at]!, 1e-9))
          : 0;
    });
  }
  const signs = Int8Array.from(means, (mean, at) => {
    if (expected[at] !== 0) return expected[at]!;
    const isSure =
      Math.abs(mean) > SURE_ERRORS * errors[at]! && Math.abs(mean) > SURE_SPREADS * Math.sqrt(variances[at]!);
    return mayBeSigned[at] && isSure ? Math.sign(mean) : 0;
  });
  return { means, variances, signs, errors };
}

/** Returns the effects of one series: its own, shrunk to the means, each with the sign that holds for all. */
export function effectsOf(equations: SeriesEquations, { means, variances, signs }: EffectPool): Float64Array {
  const { effects, spreads } = posterior(equations, means, variances);
  return effects.map((effect, at) =>
    signs[at] === 0 ? effect : signs[at]! * truncatedMean(signs[at]! * effect, spreads[at]!),
  );
}

function posterior({ information, pull }: SeriesEquations, means: Float64Array, variances: Float64Array) {
  const size = means.length;
  const matrix = information.slice();
  const right = pull.slice();
  for (let at = 0; at < size; at++) {
    matrix[at * size + at]! += 1 / variances[at]!;
    right[at]! += means[at]! / variances[at]!;
  }
  const lower = cholesky(matrix, size);
  return { effects: solveCholesky(lower, right, size), spreads: inverseDiagonal(lower, size) };
}

/** Returns the diagonal of the inverse of L Lᵀ. */
function inverseDiagonal(lower: Float64Array, size: number): Float64Array {
  const diagonal = new Float64Array(size);
  const column = new Float64Array(size);
  for (let at = 0; at < size; at++) {
    // Solves L x = e; the entry is the squared length of x.
    let sum = 0;
    for (let i = at; i < size; i++) {
      let rest = i === at ? 1 : 0;
      for (let k = at; k < i; k++) rest -= lower[i * size + k]! * column[k]!;
      const pivot = lower[i * size + i]!;
      column[i] = pivot > 0 ? rest / pivot : 0;
      sum += column[i]! ** 2;
    }
    diagonal[at] = sum;
  }
  return diagonal;
}

function ridged(matrix: Float64Array, size: number, part: number): Float64Array {
  const result = matrix.slice();
  for (let at = 0; at < size; at++) result[at * size + at]! += part * (1 + matrix[at * size + at]!);
  return result;
}

/** Returns the mean of a normal distribution that is cut at 0 from below. */
function truncatedMean(mean: number, variance: number): number {
  const spread = Math.sqrt(variance);
  const at = mean / spread;
  if (!(at < 8)) return mean;
  // Far below 0, differences of large numbers would lose all digits: use the asymptotic series.
  if (at < -3) return spread * (1 / -at - 2 / (-at) ** 3 + 10 / (-at) ** 5);
  return mean + (spread * density(at)) / tail(at);
}

const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Returns the normal distribution function (Abramowitz and Stegun 26.2.17). */
function tail(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const upper = density(x) * poly;
  return x >= 0 ? 1 - upper : upper;
}
