import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { exp } from "#lib/engine/learners/exp";

/** Largest logarithm of a prediction: models compute in 32 bits, with a maximum near e^88. */
const LOG_MAX = 85;

const logsOf = new WeakMap<Float64Array, Float64Array>();

/** Returns a series of the logarithms. A value of 0 or less, which has none, is a gap. */
export function logSeries(known: KnownSeries): KnownSeries {
  const { observed } = known;
  const logs = logsOf.get(observed) ?? observed.map((value) => (value > 0 ? Math.log(value) : Number.NaN));
  logsOf.set(observed, logs);
  return { ...known, observed: logs };
}

/** Converts logarithms to predictions: medians with a factor of 1, means with a larger one. */
export const fromLogs = (logs: Float64Array, factor: number): Float64Array =>
  logs.map((value) => factor * exp(Math.min(value, LOG_MAX)));
