/**
 * Returns the quantile `at` (0 … 1) of the first `count` values by linear interpolation (Hyndman and Fan 1996, type
 * 7; 0.5 is the median). Reorders the values. Takes linear time.
 */
export function quantileOf(values: Float64Array, count: number, at: number): number {
  const position = (count - 1) * at;
  const lower = Math.floor(position);
  const low = select(values, count, lower);
  if (lower === position) return low;
  let next = Number.POSITIVE_INFINITY;
  for (let i = lower + 1; i < count; i++) if (values[i]! < next) next = values[i]!;
  return low + (next - low) * (position - lower);
}

/**
 * Returns the median of the first `count` values, which must not be NaN, and reorders them. For an even count, returns
 * the mean of the two middle values; for none, NaN.
 */
export function medianInPlace(values: Float64Array, count: number): number {
  if (count === 0) return Number.NaN;
  const middle = count >> 1;
  const upper = select(values, count, middle);
  if (count % 2 === 1) return upper;
  let lower = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < middle; i++) if (values[i]! > lower) lower = values[i]!;
  // Neither form can overflow for the signs that it handles.
  return lower < 0 === upper < 0 ? lower + (upper - lower) / 2 : (lower + upper) / 2;
}

/**
 * Moves the value of rank `rank` to its position, with smaller values before it and larger ones after it, and returns it
 * (Hoare 1961, with a median of three as pivot).
 */
function select(values: Float64Array, count: number, rank: number): number {
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = medianOfThree(values[from]!, values[(from + to) >> 1]!, values[to]!);
    let left = from;
    let right = to;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const moved = values[left]!;
      values[left++] = values[right]!;
      values[right--] = moved;
    }
    if (rank <= right) to = right;
    else if (rank >= left) from = left;
    else break;
  }
  return values[rank]!;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
