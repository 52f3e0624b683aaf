/**
 * Returns the median of the first `length` values, which must not be NaN, and reorders them. For an even length,
 * returns the mean of the two middle values; for none, NaN. Uses quickselect (Hoare's FIND) with a median-of-three
 * pivot.
 */
export function medianInPlace(values: Float64Array, length: number = values.length): number {
  if (length === 0) return Number.NaN;
  const middle = length >> 1;
  const upper = select(values, length, middle);
  if (length % 2 === 1) return upper;
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i++) if (values[i]! > lower) lower = values[i]!;
  // Neither form can overflow for the signs that it handles.
  return lower < 0 === upper < 0 ? lower + (upper - lower) / 2 : (lower + upper) / 2;
}

/** Moves the value of that rank to its place, with smaller values before it and larger ones after, and returns it. */
function select(values: Float64Array, length: number, rank: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low]!, values[(low + high) >> 1]!, values[high]!);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const moved = values[i]!;
      values[i] = values[j]!;
      values[j] = moved;
      i++;
      j--;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank]!;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
