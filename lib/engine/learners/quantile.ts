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
 * Moves the value of rank `rank` to its position, with smaller values before it and larger ones after it (Hoare
 * 1961).
 */
function select(values: Float64Array, count: number, rank: number): number {
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1]!;
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
