import { rowsBefore } from "./fit-panel-series.ts";
import type { PanelBackTests } from "./panel-backtests.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Weights of the trees that are tried. */
const WEIGHTS = Array.from({ length: 11 }, (_, i) => i / 10);
/** Share of zeros from which a series counts as intermittent, and seasons below which it counts as short. */
const ZEROS_MIN = 0.3;
const SEASONS_SHORT = 3;
/** Errors of all series that shrink the choice of each group, as a number of series. */
const PRIOR_SERIES = 20;
/** Penalty of unequal weights: by chance a part does a little better in a few back-tests. */
const EQUAL = 0.1;

/**
 * Chooses the weight of the trees for each group of similar series: intermittent or not, short or long. The errors of single
 * series would choose mostly by chance.
 */
export function groupWeights(
  data: PanelData,
  tests: PanelBackTests,
): { groups: Int32Array; weights: number[] } {
  const groups = Int32Array.from(data.index.values, (_, place) => groupOf(data, place));
  const count = 4;
  const size = WEIGHTS.length;
  const errors = new Float64Array(count * size);
  const series = Array.from({ length: count }, () => new Set<number>());
  const changes = tests.fitted.learner.errors;
  tests.places.forEach((place, at) => {
    const actual = tests.remainders[at]!;
    if (Number.isNaN(actual) || !(changes[place]! > 0)) return;
    series[groups[place]!]!.add(place);
    WEIGHTS.forEach((weight, i) => {
      const predicted = weight * tests.global[at]! + (1 - weight) * tests.local[at]!;
      errors[groups[place]! * size + i]! += Math.abs(actual - predicted) / changes[place]!;
    });
  });
  const all = WEIGHTS.map((_, i) =>
    Array.from({ length: count }, (_, group) => errors[group * size + i]!).reduce((a, b) => a + b),
  );
  const total = series.reduce((sum, some) => sum + some.size, 0) || 1;
  const weights = Array.from({ length: count }, (_, group) => {
    const own = WEIGHTS.map(
      (_, i) =>
        (errors[group * size + i]! + (PRIOR_SERIES * all[i]!) / total) *
        (1 + EQUAL * (WEIGHTS[i]! - 0.5) ** 2),
    );
    return WEIGHTS[own.indexOf(Math.min(...own))]!;
  });
  return { groups, weights };
}

/** Returns the remainders of the back-tests as both parts together forecast them. */
export function mixed(
  { places, local, global }: PanelBackTests,
  groups: Int32Array,
  weights: readonly number[],
): Float64Array {
  return local.map((value, at) => {
    const weight = weights[groups[places[at]!]!]!;
    return weight * global[at]! + (1 - weight) * value;
  });
}

function groupOf(data: PanelData, place: number): number {
  const { from, to } = rowsBefore(data, place, data.end);
  let zeros = 0;
  for (let row = from; row < to; row++) if (data.targets[row] === 0) zeros++;
  const isIntermittent = zeros >= ZEROS_MIN * Math.max(1, to - from);
  const isShort = to - from < SEASONS_SHORT * data.horizon;
  return (isIntermittent ? 2 : 0) + (isShort ? 1 : 0);
}
