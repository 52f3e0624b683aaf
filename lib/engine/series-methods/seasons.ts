import { type Season, TEST_QUANTILE } from "./season.ts";
import { mstl } from "./stl.ts";

/**
 * Seasons that are removed from a series before methods are fitted, and restored in their forecasts. `start` is the grid
 * index of the first value of each part.
 */
export type RemovedSeasons = { start: number; parts: Season[] };

/** Factors are used only if no value is closer to 0 than this fraction of the mean: logarithms would exaggerate it. */
const POSITIVE_PART = 1e-2;
/** Offsets replace factors if their squared errors are below this fraction of those of factors. */
const CLEARLY = 0.5;
/** Longest season, and least number of cycles of a longer one, that needs no test of its changes. */
const SHORT_MAX = 24;
const CYCLES_SURE = 4;
/** Parts of a cycle whose changes are tested. */
const BLOCKS = 12;
/** Maximum number of cycles that the smoother of STL averages. */
const CYCLES_AVERAGED = 7;

/**
 * Estimates the seasons of a series by MSTL, of any length and number. Values that are clearly positive have factors,
 * because most seasons of sales, visitors or loads grow with the level; other values have offsets.
 *
 * A season that is estimated from few cycles contains noise. Each is therefore shrunk (James and Stein 1961, as Miller
 * and Williams 2003 do with seasonal factors): noise of variance v leaves v / c in the mean of c cycles. If the estimated
 * season has the variance s, the share 1 − (v / c) / s of it is kept. A season of pure noise has s ≈ v / c and vanishes.
 *
 * @param values observations in order; NaN is a gap
 * A wandering series resembles itself one year later by chance. A long season of few cycles must therefore also pass a
 * test of its changes (`changesRepeat`).
 *
 * @param candidates steps of the seasons that the series may have, ascending, without 1
 */
export function findSeasons(values: Float64Array, candidates: readonly number[]): Season[] {
  const known = values.filter((value) => !Number.isNaN(value));
  // A long gap must not add cycles that the observations cannot fill.
  const repeated = candidates.filter((length) => length < known.length && 2 * length < values.length);
  if (repeated.length === 0) return [];
  const isPositive = areFactors(known);
  const all = decomposed(values, repeated, isPositive);
  const lengths = repeated.filter((length, i) => {
    const isSure = length <= SHORT_MAX || known.length >= CYCLES_SURE * length;
    const { remainder, seasons } = all;
    return (
      isSure ||
      changesRepeat(
        remainder.map((value, at) => value + seasons[i]![at]!),
        length,
      )
    );
  });
  if (lengths.length === 0) return [];
  const { kind, seasons, remainder } =
    lengths.length < repeated.length ? decomposed(values, lengths, isPositive) : all;
  const noise = varianceOf(remainder);
  return seasons.flatMap((season, i): Season[] => {
    const length = lengths[i]!;
    const cycles = Math.min(CYCLES_AVERAGED, known.length / length);
    const kept = 1 - noise / cycles / varianceOf(season);
    if (!(kept > 0)) return [];
    // Align the last cycle, which ends with the last observation, with the first observation.
    const last = season.subarray(season.length - length);
    const phase = (length - (values.length % length)) % length;
    const parts = Array.from({ length }, (_, at) => kept * last[(phase + at) % length]!);
    return [{ kind, values: kind === "multiplicative" ? parts.map(Math.exp) : parts }];
  });
}

/** Returns the steps of the seasons and how they act: "7, 364 (factors)". */
export function seasonsText({ parts }: RemovedSeasons): string {
  const unit = parts[0]!.kind === "multiplicative" ? "factors" : "offsets";
  return `${parts.map(({ values }) => values.length).join(", ")} (${unit})`;
}

/** Removes seasons from the value at a grid index, and restores them. */
export function startSeasons({ start, parts }: RemovedSeasons) {
  const at = ({ values }: Season, index: number) => {
    const place = (index - start) % values.length;
    return values[place < 0 ? place + values.length : place]!;
  };
  const isProduct = (part: Season) => part.kind === "multiplicative";
  return {
    remove: (value: number, index: number) =>
      parts.reduce(
        (rest, part) => (isProduct(part) ? rest / at(part, index) : rest - at(part, index)),
        value,
      ),
    restore: (rest: number, index: number) =>
      parts.reduce(
        (value, part) => (isProduct(part) ? value * at(part, index) : value + at(part, index)),
        rest,
      ),
  };
}

/**
 * Returns whether the changes between twelfths of a cycle correlate with those one cycle before, by a 90% test. Changes
 * of a random walk are independent, unlike its levels.
 */
function changesRepeat(values: Float64Array, length: number): boolean {
  const width = length / BLOCKS;
  const count = Math.floor(values.length / width);
  const at = (block: number) => Math.round(values.length - (count - block) * width);
  const means = Array.from({ length: count }, (_, block) => {
    const part = values.subarray(Math.max(0, at(block)), at(block + 1));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  const changes = means.slice(1).map((value, block) => value - means[block]!);
  const later = changes.slice(BLOCKS);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const earlier = changes.slice(0, later.length);
  const size = Math.sqrt(dot(later, later) * dot(earlier, earlier));
  return dot(later, earlier) > (TEST_QUANTILE / Math.sqrt(later.length)) * size;
}

/** Decomposes into factors if the values are positive, unless offsets fit clearly better. */
function decomposed(values: Float64Array, lengths: readonly number[], isPositive: boolean) {
  const additive = decompose(values, lengths, "additive");
  const factors = isPositive ? decompose(values, lengths, "multiplicative") : null;
  return factors && !(additive.error < CLEARLY * factors.error) ? factors : additive;
}

/** Decomposes the values or their logarithms. `error`: mean squared remainder in the unit of the values. */
function decompose(values: Float64Array, lengths: readonly number[], kind: Season["kind"]) {
  const isProduct = kind === "multiplicative";
  const scaled = isProduct ? values.map(Math.log) : values;
  const { seasons, remainder } = mstl(scaled, lengths);
  let error = 0;
  values.forEach((value, i) => {
    const rest = isProduct ? value - Math.exp(scaled[i]! - remainder[i]!) : remainder[i]!;
    if (!Number.isNaN(rest)) error += rest * rest;
  });
  return { kind, seasons, remainder, error };
}

function areFactors(values: Float64Array): boolean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.every((value) => value > POSITIVE_PART * mean);
}

function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}
