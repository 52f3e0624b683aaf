/**
 * The newest value of another series at or before each instant; NaN before its first. Both in epoch milliseconds,
 * `sourceTimes` in ascending order.
 */
export function joinAsOf(times: Float64Array, sourceTimes: Float64Array, values: Float64Array): Float64Array {
  return times.map((time) => {
    if (Number.isNaN(time)) return Number.NaN;
    let low = 0;
    let high = sourceTimes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sourceTimes[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return values[low - 1] ?? Number.NaN;
  });
}
