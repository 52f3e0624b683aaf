import type { Grant } from "#lib/platform/rate-limits/count-call";
import { cost, type Rate } from "#lib/platform/rate-limits/rate";

/** Of an event: the arrival time is a sum of many. */
const rounding = 1e-6;

/**
 * What a process holds of a subject's rate: events that the database has counted already and that have not happened yet.
 *
 * Each event takes a piece of the length of its cost out of the axis on which the arrival time moves, and no two the same
 * one. An event may happen late, as long as its piece lies in the future: then all that are still held lie between now
 * and the arrival time, so that the bucket never looks emptier of events than it is, and no process, nor all of them
 * together, lets more happen in any window than the rate allows. A piece that time has passed is lost, which is what
 * happens to whatever the rate gives to a bucket that is full.
 */
export class Holding {
  readonly #rate: Rate;
  readonly #aheadSeconds: number;
  readonly #takenMs: number;
  readonly #low: number;
  #left: number;

  /** @param takenMs when the database was asked (before, not after), on a clock that never goes back */
  constructor(rate: Rate, { granted, aheadSeconds }: Grant, takenMs: number) {
    this.#rate = rate;
    this.#aheadSeconds = aheadSeconds;
    this.#takenMs = takenMs;
    this.#left = granted;
    this.#low = Math.floor(granted / 2);
  }

  /** Whether half of it has been used or has passed. */
  get isLow(): boolean {
    return this.#left < this.#low;
  }

  /**
   * Lets one event happen.
   *
   * @returns the arrival time minus now without what is still held; null where nothing is left
   */
  spend(nowMs: number): number | null {
    const seconds = (nowMs - this.#takenMs) / 1000;
    this.#left = Math.min(
      this.#left,
      Math.floor((this.#aheadSeconds - seconds) / cost(this.#rate) + rounding),
    );
    return this.#left < 1 ? null : this.#spendOne(seconds);
  }

  /** Lets one happen that has waited since before the database was asked: for it no time has passed. */
  spendForWaiting(): number | null {
    return this.#left < 1 ? null : this.#spendOne(0);
  }

  #spendOne(seconds: number): number {
    this.#left--;
    return this.#aheadSeconds - seconds - this.#left * cost(this.#rate);
  }
}
