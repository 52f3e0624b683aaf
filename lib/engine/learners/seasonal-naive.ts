/**
 * The value one season back, repeated over the horizon: step h gets the newest known value at its place in the
 * season. Missing values (NaN) are passed over for the season before; a place never seen gets the last known value,
 * and NaN is left only where nothing is known.
 *
 * @param seasonLength steps in a season, at least 1; 1 repeats the last value.
 */
export function seasonalNaive(history: Float64Array, seasonLength: number, horizon: number): Float64Array {
  if (!Number.isInteger(seasonLength) || seasonLength < 1) {
    throw new RangeError(`seasonLength must be a whole number, 1 or more, not ${seasonLength}.`);
  }
  const lastKnown = history.findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
  const season = Float64Array.from({ length: Math.min(seasonLength, horizon) }, (_, place) => {
    for (let at = history.length - seasonLength + place; at >= 0; at -= seasonLength) {
      if (!Number.isNaN(history[at]!)) return history[at]!;
    }
    return lastKnown;
  });
  return Float64Array.from({ length: horizon }, (_, step) => season[step % seasonLength]!);
}

/** The mean of what is known of `history` (NaN where nothing is), `count` times. */
export function meanBaseline(history: Float64Array, count: number): Float64Array {
  const known = history.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return new Float64Array(count).fill(mean);
}
