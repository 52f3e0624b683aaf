/** Minimum modulus of the polynomials' roots. */
const ROOT_MIN = 1.001;

/**
 * Returns the coefficients of (1 + sign · Σ a z^i)(1 + sign · Σ b z^(steps · i)) after the leading 1, divided by the
 * sign.
 */
export function product(a: readonly number[], b: readonly number[], steps: number, sign: 1 | -1): number[] {
  const seasonal = new Array<number>(b.length * steps + 1).fill(0);
  seasonal[0] = 1;
  b.forEach((value, i) => {
    seasonal[(i + 1) * steps] = sign * value;
  });
  return times([1, ...a.map((value) => sign * value)], seasonal)
    .slice(1)
    .map((value) => sign * value + 0);
}

/** Multiplies two polynomials, given by their coefficients from the constant up. */
export function times(a: readonly number[], b: readonly number[]): number[] {
  const product = new Array<number>(a.length + b.length - 1).fill(0);
  a.forEach((left, i) => {
    b.forEach((right, j) => {
      product[i + j]! += left * right;
    });
  });
  return product;
}

/** Returns whether processes with these autoregressive coefficients are stationary. */
export const areStationary = (...parts: readonly number[][]) =>
  parts.every((part) => hasRootsOutside([1, ...part.map((value) => -value)]));
/** Returns whether processes with these moving average coefficients are invertible. */
export const areInvertible = (...parts: readonly number[][]) =>
  parts.every((part) => hasRootsOutside([1, ...part]));

/**
 * Returns whether all roots have a modulus of more than `ROOT_MIN` (Schur and Cohn: the modulus of every reflection
 * coefficient is less than 1).
 */
function hasRootsOutside(polynomial: readonly number[]): boolean {
  let current = polynomial.slice(1).map((value, i) => value * ROOT_MIN ** (i + 1));
  while (current.length > 0) {
    const last = current[current.length - 1]!;
    if (!(Math.abs(last) < 1)) return false;
    const rest = 1 - last * last;
    current = current
      .slice(0, -1)
      .map((value, i) => (value - last * current[current.length - 2 - i]!) / rest);
  }
  return true;
}
