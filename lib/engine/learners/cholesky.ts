/** A pivot below this fraction of its diagonal entry means that earlier columns already determine the column. */
const DEPENDENT = 1e-11;

/**
 * Returns the lower triangle L (row-major) with L Lᵀ = `matrix`, which must be symmetric and positive semidefinite. A
 * column that depends on earlier ones gets a zero pivot, and `solveCholesky` returns 0 for it.
 */
export function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) rest -= lower[i * size + k]! * lower[j * size + k]!;
      const pivot = lower[j * size + j]!;
      if (i === j) lower[i * size + i] = rest > DEPENDENT * matrix[i * size + i]! ? Math.sqrt(rest) : 0;
      else lower[i * size + j] = pivot > 0 ? rest / pivot : 0;
    }
  }
  return lower;
}

/** Solves L Lᵀ x = `right`. */
export function solveCholesky(lower: Float64Array, right: Float64Array, size: number): Float64Array {
  const solution = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let rest = right[i]!;
    for (let k = 0; k < i; k++) rest -= lower[i * size + k]! * solution[k]!;
    const pivot = lower[i * size + i]!;
    solution[i] = pivot > 0 ? rest / pivot : 0;
  }
  for (let i = size - 1; i >= 0; i--) {
    let rest = solution[i]!;
    for (let k = i + 1; k < size; k++) rest -= lower[k * size + i]! * solution[k]!;
    const pivot = lower[i * size + i]!;
    solution[i] = pivot > 0 ? rest / pivot : 0;
  }
  return solution;
}
