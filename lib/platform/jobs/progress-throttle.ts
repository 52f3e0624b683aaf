const writeEveryMs = 250;
/**
 * With Pending, Running and the end told at once, an update each half second keeps a job at four events in any second.
 */
const tellEveryMs = 500;

/** Decides which reports of progress are written, and which of those are told. */
export class ProgressThrottle {
  readonly #now: () => number;
  #percent = 0;
  #stage: string | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #toldAt: number;

  /** @param now milliseconds; the moment of construction counts as one at which something was told */
  constructor(now: () => number) {
    this.#now = now;
    this.#toldAt = now();
  }

  /** @returns null where nothing is to be written; `percent` never falls */
  next(percent: number, stage: string | undefined): { percent: number; tell: boolean } | null {
    const at = this.#now();
    this.#percent = Math.max(this.#percent, Math.min(100, Number.isFinite(percent) ? percent : 0));
    const isNewStage = stage !== undefined && stage !== this.#stage;
    if (!isNewStage && at - this.#writtenAt < writeEveryMs) return null;
    if (isNewStage) this.#stage = stage;
    this.#writtenAt = at;
    const tell = at - this.#toldAt >= tellEveryMs;
    if (tell) this.#toldAt = at;
    return { percent: this.#percent, tell };
  }
}
