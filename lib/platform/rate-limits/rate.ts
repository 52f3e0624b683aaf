/**
 * How often something may happen: `burst` times at once, and after that `perMinute` times a minute. Kept as the generic
 * cell rate algorithm (ITU-T I.371; Brandur Leach, "Rate Limiting, Cells, and GCRA"): one number, the time at which the
 * bucket will be empty again ("theoretical arrival time").
 */
export type Rate = { perMinute: number; burst: number };

export type Verdict = {
  allowed: boolean;
  /** How many more may come at once. */
  remaining: number;
  /** For how long no more than `remaining` may come, rounded up: until there is one more. */
  windowSeconds: number;
};

/** Seconds that one event takes out of the bucket. */
export const cost = (rate: Rate) => 60 / rate.perMinute;

/**
 * Seconds by which the arrival time may lie ahead before an event. Epoch seconds have a rounding error of a quarter of a
 * microsecond as float64, and a burst sums it up.
 */
export const tolerance = (rate: Rate) =>
  (rate.burst - 1) * cost(rate) + Math.min(cost(rate) / 2, rate.burst * 1e-6);

/**
 * What an arrival time means to the caller.
 *
 * @param aheadSeconds arrival time minus now, after the event where it was allowed
 */
export function verdict(rate: Rate, allowed: boolean, aheadSeconds: number): Verdict {
  const ahead = Math.max(0, aheadSeconds);
  const free = Math.floor((tolerance(rate) + cost(rate) - ahead) / cost(rate));
  const remaining = allowed ? Math.max(0, Math.min(rate.burst, free)) : 0;
  const nextSeconds = ahead + remaining * cost(rate) - tolerance(rate);
  return { allowed, remaining, windowSeconds: Math.max(1, Math.ceil(nextSeconds)) };
}
