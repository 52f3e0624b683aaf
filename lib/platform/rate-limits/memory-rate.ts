import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/** Counts events within one process, without the database. Keeps at most `capacity` subjects. */
export class MemoryRate {
  readonly #arrivals = new Map<string, number>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @param nowSeconds time on a monotonic clock */
  count(subject: string, rate: Rate, nowSeconds: number = performance.now() / 1000): Verdict {
    const arrival = Math.max(this.#arrivals.get(subject) ?? 0, nowSeconds);
    if (arrival - nowSeconds > tolerance(rate)) return verdict(rate, false, arrival - nowSeconds);
    // Reinserts the subject, so that the first in the map is the least recently used.
    this.#arrivals.delete(subject);
    this.#arrivals.set(subject, arrival + cost(rate));
    if (this.#arrivals.size > this.#capacity) this.#arrivals.delete(this.#arrivals.keys().next().value!);
    return verdict(rate, true, arrival + cost(rate) - nowSeconds);
  }

  /** Returns a counted event to the bucket. */
  uncount(subject: string, rate: Rate): void {
    const arrival = this.#arrivals.get(subject);
    if (arrival !== undefined) this.#arrivals.set(subject, arrival - cost(rate));
  }
}
