import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/** The same count within one process, for what must not touch the database. Keeps at most `capacity` subjects. */
export class MemoryRate {
  readonly #arrivals = new Map<string, number>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @param nowSeconds on a clock that never goes back */
  count(subject: string, rate: Rate, nowSeconds: number = performance.now() / 1000): Verdict {
    const arrival = Math.max(this.#arrivals.get(subject) ?? 0, nowSeconds);
    if (arrival - nowSeconds > tolerance(rate)) return verdict(rate, false, arrival - nowSeconds);
    // Written last, so that the first in the map is the one that was longest without an event.
    this.#arrivals.delete(subject);
    this.#arrivals.set(subject, arrival + cost(rate));
    if (this.#arrivals.size > this.#capacity) this.#forgetOldest();
    return verdict(rate, true, arrival + cost(rate) - nowSeconds);
  }

  /** Takes an event back that has turned out not to count. */
  uncount(subject: string, rate: Rate): void {
    const arrival = this.#arrivals.get(subject);
    if (arrival !== undefined) this.#arrivals.set(subject, arrival - cost(rate));
  }

  #forgetOldest(): void {
    for (const subject of this.#arrivals.keys()) {
      this.#arrivals.delete(subject);
      return;
    }
  }
}
