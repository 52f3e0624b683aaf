type Minimum = { at: Float64Array; value: number };

type MinimizeOptions = {
  /** Maximum number of iterations. */
  iterations?: number;
  /** Relative improvement per iteration below which the search ends. */
  tolerance?: number;
};

/** Step of the numerical derivative, relative to the coordinate. */
const DERIVATIVE_STEP = 1e-5;
/** Fraction of the expected decrease that a step must reach (Armijo). */
const ARMIJO = 1e-4;
const HALVINGS_MAX = 25;

/**
 * Finds a local minimum by BFGS with numerical derivatives (Nocedal and Wright 2006, chapter 6). Deterministic: the same
 * start gives the same bits. Values that are not finite count as infinitely high.
 */
export function minimize(
  value: (at: Float64Array) => number,
  start: Float64Array,
  { iterations = 100, tolerance = 1e-8 }: MinimizeOptions = {},
): Minimum {
  const size = start.length;
  const evaluate = (at: Float64Array) => {
    const result = value(at);
    return Number.isFinite(result) ? result : Number.POSITIVE_INFINITY;
  };
  let at = start.slice();
  let current = evaluate(at);
  if (size === 0 || !Number.isFinite(current)) return { at, value: current };
  const gradientAt = (place: Float64Array, here: number) => {
    const gradient = new Float64Array(size);
    const probe = place.slice();
    for (let i = 0; i < size; i++) {
      const step = DERIVATIVE_STEP * Math.max(1, Math.abs(place[i]!));
      probe[i] = place[i]! + step;
      const above = evaluate(probe);
      if (Number.isFinite(above)) gradient[i] = (above - here) / step;
      else {
        probe[i] = place[i]! - step;
        const below = evaluate(probe);
        gradient[i] = Number.isFinite(below) ? (here - below) / step : 0;
      }
      probe[i] = place[i]!;
    }
    return gradient;
  };
  let gradient = gradientAt(at, current);
  let inverse = identity(size);
  let isFresh = true;
  for (let iteration = 0; iteration < iterations; iteration++) {
    let direction = negativeProduct(inverse, gradient);
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      inverse = identity(size);
      isFresh = true;
      direction = gradient.map((part) => -part);
      slope = dot(direction, gradient);
      if (!(slope < 0)) break;
    }
    // The first step along the gradient has no scale.
    let length = isFresh ? Math.min(1, 1 / Math.sqrt(-slope)) : 1;
    let next = at;
    let least = Number.POSITIVE_INFINITY;
    for (let halving = 0; halving < HALVINGS_MAX; halving++, length /= 2) {
      next = at.map((part, i) => part + length * direction[i]!);
      least = evaluate(next);
      if (least <= current + ARMIJO * length * slope) break;
    }
    if (!(least < current)) {
      if (isFresh) break;
      inverse = identity(size);
      isFresh = true;
      continue;
    }
    const nextGradient = gradientAt(next, least);
    updateInverse(
      inverse,
      next.map((part, i) => part - at[i]!),
      nextGradient.map((part, i) => part - gradient[i]!),
      isFresh,
    );
    isFresh = false;
    const gain = current - least;
    at = next;
    current = least;
    gradient = nextGradient;
    if (gain <= tolerance * (Math.abs(current) + tolerance)) break;
  }
  return { at, value: current };
}

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) matrix[i * size + i] = 1;
  return matrix;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function negativeProduct(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const product = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += matrix[row * size + i]! * vector[i]!;
    product[row] = -sum;
  }
  return product;
}

/** Applies the BFGS update of the inverse Hessian in place; skips it if the curvature is not positive. */
function updateInverse(inverse: Float64Array, step: Float64Array, change: Float64Array, isFresh: boolean) {
  const size = step.length;
  const curvature = dot(step, change);
  if (!(curvature > 1e-12 * Math.sqrt(dot(step, step) * dot(change, change)))) return;
  if (isFresh) {
    const scale = curvature / dot(change, change);
    for (let i = 0; i < size; i++) inverse[i * size + i] = scale;
  }
  const product = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    for (let i = 0; i < size; i++) product[row]! += inverse[row * size + i]! * change[i]!;
  }
  const factor = (1 + dot(change, product) / curvature) / curvature;
  for (let row = 0; row < size; row++) {
    for (let i = 0; i < size; i++) {
      inverse[row * size + i]! +=
        factor * step[row]! * step[i]! - (product[row]! * step[i]! + step[row]! * product[i]!) / curvature;
    }
  }
}
