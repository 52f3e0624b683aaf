/**
 * Repeats the last season over the horizon: step h gets the newest known value at its position in the season. If that
 * value is missing (NaN), the value of the season before is used. A position without known values gets the last known
 * value. NaN remains only if no value is known.
 *
 * @param seasonLength steps per season, at least 1; 1 repeats the last value.
 */
export function seasonalNaive(history: Float64Array, seasonLength: number, horizon: number): Float64Array {
  const lastKnown = history.findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
  const season = Float64Array.from({ length: Math.min(seasonLength, horizon) }, (_, place) => {
    for (let at = history.length - seasonLength + place; at >= 0; at -= seasonLength) {
      if (!Number.isNaN(history[at]!)) return history[at]!;
    }
    return lastKnown;
  });
  return Float64Array.from({ length: horizon }, (_, step) => season[step % seasonLength]!);
}

/** Returns `count` copies of the mean of the known values of `history` (NaN if none is known). */
export function meanBaseline(history: Float64Array, count: number): Float64Array {
  const known = history.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return new Float64Array(count).fill(mean);
}
