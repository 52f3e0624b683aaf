/** Where the last of `places` is that is not after `wanted`; -1 for none, and for NaN. `places` ascend. */
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
