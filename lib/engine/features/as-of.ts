/**
 * Returns the index of the last of the ascending `places` that is not after `wanted`, or -1. Returns -1 for NaN.
 */
export function lastNotAfter(places: Float64Array, wanted: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
