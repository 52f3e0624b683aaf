/**
 * Difference of the error variance from the noise variance at which the filter has settled. Also the relative change per
 * step of a gap at which the variance stays as it is.
 */
const SETTLED = 1e-9;
/** Maximum number of past noise steps for the variance before the first value. */
const PAST_MAX = 2_000;

/** State of the Kalman filter; `variance` is null once it has settled. */
export type KalmanState = { mean: number[]; variance: number[] | null };

/**
 * Creates the Kalman filter of an ARMA process with unit noise (Harvey 1989, chapter 3).
 *
 * @param ar coefficients of past values, from lag 1
 * @param ma coefficients of past noise, from lag 1
 * @param from state to continue; null starts before the first value
 */
export function kalmanFilter(ar: readonly number[], ma: readonly number[], from: KalmanState | null) {
  const size = Math.max(ar.length, ma.length + 1);
  const phi = Float64Array.from({ length: size }, (_, i) => ar[i] ?? 0);
  const noise = Float64Array.from({ length: size }, (_, i) => (i === 0 ? 1 : (ma[i - 1] ?? 0)));
  const state = Float64Array.from(from?.mean ?? { length: size }, (value) => value ?? 0);
  let variance: Float64Array | null =
    from === null ? stationaryVariance(phi, noise) : from.variance && Float64Array.from(from.variance);
  const gain = new Float64Array(size);
  const spare = new Float64Array(size * size);
  const next = new Float64Array(size * size);
  /** Whether the last step was a gap that left the variance as it was. Further gaps then do so too. */
  let isResting = false;
  const move = (values: Float64Array) => {
    const first = values[0]!;
    for (let i = 0; i < size; i++) values[i] = phi[i]! * first + (i + 1 < size ? values[i + 1]! : 0);
  };
  return {
    expected: () => state[0]!,
    /**
     * Updates the state with the difference between the value and its expectation; NaN is a gap. Returns the variance
     * of that error.
     */
    update(error: number): number {
      let scale = 1;
      const isGap = Number.isNaN(error);
      if (variance === null) {
        // In the settled state, the error equals the noise.
        if (!isGap) for (let i = 0; i < size; i++) state[i]! += noise[i]! * error;
        move(state);
        return scale;
      }
      scale = variance[0]!;
      if (isGap && isResting) {
        move(state);
        return scale;
      }
      isResting = isGap;
      const tolerance = SETTLED * scale;
      for (let i = 0; i < size; i++) gain[i] = isGap ? 0 : variance[i * size]! / scale;
      if (!isGap) for (let i = 0; i < size; i++) state[i]! += gain[i]! * error;
      move(state);
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
          const at = row * size + column;
          spare[at] = variance[at]! - gain[row]! * gain[column]! * scale;
        }
      }
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
          let sum = noise[row]! * noise[column]! + phi[row]! * phi[column]! * spare[0]!;
          if (column + 1 < size) sum += phi[row]! * spare[column + 1]!;
          if (row + 1 < size) sum += phi[column]! * spare[(row + 1) * size]!;
          if (row + 1 < size && column + 1 < size) sum += spare[(row + 1) * size + column + 1]!;
          const at = row * size + column;
          next[at] = sum;
          if (!(Math.abs(sum - variance[at]!) <= tolerance)) isResting = false;
        }
      }
      if (!isResting) variance.set(next);
      if (Math.abs(variance[0]! - 1) < SETTLED) variance = null;
      return scale;
    },
    forecast(steps: number): Float64Array {
      const ahead = state.slice();
      return Float64Array.from({ length: steps }, () => {
        const value = ahead[0]!;
        move(ahead);
        return value;
      });
    },
    snapshot: (): KalmanState => ({ mean: [...state], variance: variance && [...variance] }),
  };
}

/**
 * Computes the variance of the state before the first value: V = Σ (Tⁱ R)(Tⁱ R)ᵀ, with the transition matrix T (`phi`)
 * and the noise vector R.
 */
function stationaryVariance(phi: Float64Array, noise: Float64Array): Float64Array {
  const size = phi.length;
  const variance = new Float64Array(size * size);
  const moved = noise.slice();
  for (let i = 0; i < PAST_MAX; i++) {
    let length = 0;
    for (let row = 0; row < size; row++) {
      const left = moved[row]!;
      length += left * left;
      if (left === 0) continue;
      // The matrix is symmetric.
      for (let column = row; column < size; column++) variance[row * size + column]! += left * moved[column]!;
    }
    if (length < 1e-12 * variance[0]!) break;
    const first = moved[0]!;
    for (let row = 0; row < size; row++)
      moved[row] = phi[row]! * first + (row + 1 < size ? moved[row + 1]! : 0);
  }
  for (let row = 1; row < size; row++) {
    for (let column = 0; column < row; column++)
      variance[row * size + column] = variance[column * size + row]!;
  }
  return variance;
}
