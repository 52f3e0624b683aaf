const writeEveryMs = 250;
/**
 * Interval of published updates. Start and end are published at once, so a job causes at most four events in any second.
 */
const publishEveryMs = 500;

/** Decides which progress reports are written, and which of the written ones are published. */
export class ProgressThrottle {
  readonly #now: () => number;
  #percent = 0;
  #stage: string | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #publishedAt: number;

  /** @param now milliseconds; the construction counts as a published update */
  constructor(now: () => number) {
    this.#now = now;
    this.#publishedAt = now();
  }

  /** @returns null if nothing is to be written; `percent` never decreases */
  next(percent: number, stage: string | undefined): { percent: number; isPublished: boolean } | null {
    const at = this.#now();
    this.#percent = Math.max(this.#percent, Math.min(100, Number.isFinite(percent) ? percent : 0));
    const isNewStage = stage !== undefined && stage !== this.#stage;
    if (!isNewStage && at - this.#writtenAt < writeEveryMs) return null;
    if (isNewStage) this.#stage = stage;
    this.#writtenAt = at;
    const isPublished = at - this.#publishedAt >= publishEveryMs;
    if (isPublished) this.#publishedAt = at;
    return { percent: this.#percent, isPublished };
  }
}
