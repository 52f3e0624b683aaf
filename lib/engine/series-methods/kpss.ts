/** Critical value at 5%. */
const CRITICAL = 0.463;

/** Returns whether the level of a series wanders, by the KPSS test (Kwiatkowski, Phillips, Schmidt and Shin 1992). */
export function needsDifferences(values: Float64Array): boolean {
  return kpss(values) > CRITICAL;
}

/** Computes the statistic of the KPSS test for a level, with the lag truncation of R's `ndiffs`. */
function kpss(values: Float64Array): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const rest = values.map((value) => value - mean);
  const lags = Math.trunc((3 * Math.sqrt(count)) / 13);
  let total = 0;
  let sums = 0;
  for (const value of rest) {
    total += value;
    sums += total * total;
  }
  let variance = rest.reduce((sum, value) => sum + value * value, 0) / count;
  for (let lag = 1; lag <= lags; lag++) {
    let together = 0;
    for (let i = lag; i < count; i++) together += rest[i]! * rest[i - lag]!;
    variance += ((2 * together) / count) * (1 - lag / (lags + 1));
  }
  return variance > 0 ? sums / (count * count * variance) : 0;
}
