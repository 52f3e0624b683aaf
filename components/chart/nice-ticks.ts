/**
 * Returns round numbers that enclose `low` to `high` in about `count` steps of 1, 2, 2.5 or 5 times a power of ten
 * (Heckbert, "Nice numbers for graph labels", 1990). The first and the last number are the ends of the axis.
 */
export function niceTicks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low - 1, low, low + 1];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Uses multiples of the step, because sums accumulate rounding errors such as 0.1 + 0.2.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(15)),
  );
}
