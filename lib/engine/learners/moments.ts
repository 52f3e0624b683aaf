/** Sums over a set of rows, sufficient for a least-squares fit and its error. */
export type Moments = {
  count: number;
  columnSums: Float64Array;
  targetSum: number;
  /** Σ x xᵀ, row-major. */
  gram: Float64Array;
  /** Σ x y. */
  cross: Float64Array;
  /** Σ y². */
  targetSquares: number;
};

export function emptyMoments(columnCount: number): Moments {
  return {
    count: 0,
    columnSums: new Float64Array(columnCount),
    targetSum: 0,
    gram: new Float64Array(columnCount ** 2),
    cross: new Float64Array(columnCount),
    targetSquares: 0,
  };
}

/**
 * Adds rows `from … to` - 1 with scaled columns and the target minus `targetMean`. Skips zeros where both most of a
 * column and its offset are 0 (an indicator of one of many categories). A row counts as many times as its weight says.
 */
export function addMoments(
  moments: Moments,
  columns: Float32Array[],
  scaling: { offset: number; perDeviation: number }[],
  target: Float64Array,
  targetMean: number,
  from: number,
  to: number,
  weights?: Float64Array,
): void {
  const size = columns.length;
  const { gram, cross, columnSums } = moments;
  const values = new Float64Array(size);
  const places = new Int32Array(size);
  for (let row = from; row < to; row++) {
    const y = target[row]! - targetMean;
    const weight = weights === undefined ? 1 : weights[row]!;
    let present = 0;
    for (let i = 0; i < size; i++) {
      const { offset, perDeviation } = scaling[i]!;
      const value = (columns[i]![row]! - offset) * perDeviation;
      if (value === 0) continue;
      places[present] = i;
      values[present++] = value;
      const weighted = weight * value;
      columnSums[i]! += weighted;
      cross[i]! += weighted * y;
      const at = i * size;
      for (let j = 0; j < present; j++) gram[at + places[j]!]! += weighted * values[j]!;
    }
    moments.targetSum += weight * y;
    moments.targetSquares += weight * y * y;
    moments.count += weight;
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) gram[j * size + i] = gram[i * size + j]!;
}

export function sumMoments(parts: Moments[]): Moments {
  const sum = emptyMoments(parts[0]?.columnSums.length ?? 0);
  for (const part of parts) {
    sum.count += part.count;
    sum.targetSum += part.targetSum;
    sum.targetSquares += part.targetSquares;
    for (let i = 0; i < sum.cross.length; i++) {
      sum.columnSums[i]! += part.columnSums[i]!;
      sum.cross[i]! += part.cross[i]!;
    }
    for (let i = 0; i < sum.gram.length; i++) sum.gram[i]! += part.gram[i]!;
  }
  return sum;
}

/** Returns the sums centred on the rows' own means. */
export function centredMoments(moments: Moments) {
  const { count, columnSums, targetSum } = moments;
  const size = columnSums.length;
  const columnMeans = columnSums.map((sum) => sum / count);
  const targetMean = targetSum / count;
  const gram = moments.gram.map(
    (value, at) => value - columnSums[Math.floor(at / size)]! * columnMeans[at % size]!,
  );
  const cross = moments.cross.map((value, i) => value - columnSums[i]! * targetMean);
  return { gram, cross, columnMeans, targetMean };
}

/** Computes Σ (y - intercept - w·x)² over the rows from their sums alone. */
export function squaredError(moments: Moments, weights: Float64Array, intercept: number): number {
  const { count, columnSums, targetSum, gram, cross, targetSquares } = moments;
  const size = weights.length;
  let error = targetSquares - 2 * intercept * targetSum + count * intercept ** 2;
  for (let i = 0; i < size; i++) {
    let product = 0;
    for (let j = 0; j < size; j++) product += gram[i * size + j]! * weights[j]!;
    error += weights[i]! * (product - 2 * cross[i]! + 2 * intercept * columnSums[i]!);
  }
  return Math.max(0, error);
}
