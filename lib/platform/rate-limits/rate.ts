/**
 * Rate limit: `burst` events at once, then `perMinute` events a minute. Implements the generic cell rate algorithm
 * (ITU-T I.371; Brandur Leach, "Rate Limiting, Cells, and GCRA"): one number, the time at which the bucket will be
 * empty again ("theoretical arrival time").
 */
export type Rate = { perMinute: number; burst: number };

export type Verdict = {
  allowed: boolean;
  /** Number of further events allowed at once. */
  remaining: number;
  /** Seconds until one more event than `remaining` is allowed, rounded up. */
  windowSeconds: number;
};

/** Returns the cost of one event, in seconds. */
export const cost = (rate: Rate) => 60 / rate.perMinute;

/**
 * Returns the seconds by which the arrival time may lie ahead before an event. Epoch seconds have a rounding error of a
 * quarter of a microsecond as float64, and a burst sums it up.
 */
export const tolerance = (rate: Rate) =>
  (rate.burst - 1) * cost(rate) + Math.min(cost(rate) / 2, rate.burst * 1e-6);

/**
 * Converts an arrival time to a verdict.
 *
 * @param aheadSeconds arrival time minus now, after the event if it was allowed
 */
export function verdict(rate: Rate, allowed: boolean, aheadSeconds: number): Verdict {
  const ahead = Math.max(0, aheadSeconds);
  const free = Math.floor((tolerance(rate) + cost(rate) - ahead) / cost(rate));
  const remaining = allowed ? Math.max(0, Math.min(rate.burst, free)) : 0;
  const nextSeconds = ahead + remaining * cost(rate) - tolerance(rate);
  return { allowed, remaining, windowSeconds: Math.max(1, Math.ceil(nextSeconds)) };
}
