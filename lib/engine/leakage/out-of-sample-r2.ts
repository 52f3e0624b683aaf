import { firstRow } from "#lib/engine/series/window";

const FOLDS = 5;

/** Values that explain a target: numbers, or codes of categories. NaN is missing. */
type Explaining = { values: Float64Array; isCategory: boolean };

type Pair = { x: number; y: number };

/**
 * Returns how well one column alone predicts the target: the R² of predictions of each fifth of the rows from the other
 * rows, by the better of a line and an interpolation; for categories, by their means. Null without variation.
 *
 * Fifths are stretches of the rows in the given order. A column that only counts the time therefore does not explain a
 * smooth series.
 */
export function outOfSampleR2(
  { values, isCategory }: Explaining,
  target: Float64Array,
): { r2: number; comparedRows: number } | null {
  const pairs: Pair[] = [];
  for (let row = 0; row < target.length; row++) {
    const x = values[row]!;
    const y = target[row]!;
    if (!Number.isNaN(x) && !Number.isNaN(y)) pairs.push({ x, y });
  }
  const total = variation(pairs);
  if (pairs.length < 2 * FOLDS || !(total > 0)) return null;
  const predictors = isCategory ? [meansByValue] : [fitLine, interpolate];
  const errors = predictors.map((learn) => errorOf(pairs, learn));
  return { r2: 1 - Math.min(...errors) / total, comparedRows: pairs.length };
}

type Learn = (pairs: readonly Pair[]) => (x: number) => number;

function errorOf(pairs: readonly Pair[], learn: Learn): number {
  let error = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const from = Math.floor((fold * pairs.length) / FOLDS);
    const to = Math.floor(((fold + 1) * pairs.length) / FOLDS);
    const predict = learn([...pairs.slice(0, from), ...pairs.slice(to)]);
    for (const { x, y } of pairs.slice(from, to)) error += (y - predict(x)) ** 2;
  }
  return error;
}

function variation(pairs: readonly Pair[]): number {
  const mean = meanOf(pairs);
  return pairs.reduce((sum, { y }) => sum + (y - mean) ** 2, 0);
}

const meanOf = (pairs: readonly Pair[]) => pairs.reduce((mean, { y }, at) => mean + (y - mean) / (at + 1), 0);

const fitLine: Learn = (pairs) => {
  const meanX = pairs.reduce((mean, { x }, at) => mean + (x - mean) / (at + 1), 0);
  const meanY = meanOf(pairs);
  let xx = 0;
  let xy = 0;
  for (const { x, y } of pairs) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const slope = xx > 0 ? xy / xx : 0;
  return (x) => meanY + slope * (x - meanX);
};

/** Connects the mean target of neighbouring values; beyond the ends, the nearest value's mean. */
const interpolate: Learn = (pairs) => {
  const groups = meansOf(pairs.toSorted((a, b) => a.x - b.x));
  return (x) => {
    const next = firstRow(groups, (group) => group.x >= x);
    const after = groups[next];
    const before = groups[next - 1];
    if (after === undefined || before === undefined || after.x === x) return (after ?? before)!.y;
    return before.y + ((x - before.x) / (after.x - before.x)) * (after.y - before.y);
  };
};

function meansOf(sorted: readonly Pair[]): Pair[] {
  const groups: Pair[] = [];
  let count = 0;
  for (const { x, y } of sorted) {
    const group = groups.at(-1);
    if (group?.x === x) group.y += (y - group.y) / ++count;
    else {
      groups.push({ x, y });
      count = 1;
    }
  }
  return groups;
}

const meansByValue: Learn = (pairs) => {
  const overall = meanOf(pairs);
  const means = new Map(meansOf(pairs.toSorted((a, b) => a.x - b.x)).map(({ x, y }) => [x, y]));
  return (x) => means.get(x) ?? overall;
};
