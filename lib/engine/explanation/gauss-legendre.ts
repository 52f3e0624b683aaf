export type Quadrature = { points: Float64Array; weights: Float64Array };

const known = new Map<number, Quadrature>();

/**
 * Returns points and weights on [0, 1] that integrate polynomials up to degree 2 · `count` - 1 exactly. The points
 * are the roots of the Legendre polynomial, computed by Newton's method from Tricomi's estimate.
 */
export function gaussLegendre(count: number): Quadrature {
  const cached = known.get(count);
  if (cached) return cached;
  const points = new Float64Array(count);
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let step = 0; step < 100; step++) {
      const legendre = legendreAt(count, x);
      slope = legendre.slope;
      const correction = legendre.value / slope;
      x -= correction;
      if (Math.abs(correction) < 1e-16) break;
    }
    points[i] = (1 - x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  const quadrature = { points, weights };
  known.set(count, quadrature);
  return quadrature;
}

/** Computes P_n(x) and its derivative by Bonnet's recursion. */
function legendreAt(degree: number, x: number): { value: number; slope: number } {
  let before = 1;
  let value = x;
  for (let k = 2; k <= degree; k++) {
    const next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return { value, slope: (degree * (x * value - before)) / (x * x - 1) };
}
