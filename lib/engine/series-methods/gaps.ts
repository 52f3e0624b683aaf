/** Interpolates gaps linearly; gaps at the ends get the nearest value. */
export function filledGaps(values: Float64Array): Float64Array {
  const filled = values.slice();
  let last = -1;
  for (let i = 0; i <= filled.length; i++) {
    const isEnd = i === filled.length;
    if (!isEnd && Number.isNaN(filled[i]!)) continue;
    for (let gap = last + 1; gap < i; gap++) {
      if (last < 0) filled[gap] = isEnd ? 0 : filled[i]!;
      else if (isEnd) filled[gap] = filled[last]!;
      else filled[gap] = filled[last]! + ((filled[i]! - filled[last]!) * (gap - last)) / (i - last);
    }
    last = i;
  }
  return filled;
}
