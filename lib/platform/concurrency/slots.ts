import { DomainError } from "#lib/platform/errors/domain-error";

type SlotLimits = {
  /** Holders at the same time. */
  atOnce: number;
  /** Callers that may wait, and for how many milliseconds. */
  waiting: number;
  waitMs: number;
};

type Waiting = { begin: () => void };

/** A semaphore with a bounded queue: expensive work runs a few at a time, in the order of the calls. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #queue = new Set<Waiting>();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a slot. Disposing of the result frees the slot.
   *
   * @throws {DomainError} service_unavailable if the queue is full or the wait too long
   * @throws the reason of `signal`
   */
  async acquire(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#running >= this.#limits.atOnce) await this.#wait(signal);
    else this.#running++;
    let isReleased = false;
    return {
      [Symbol.dispose]: () => {
        if (isReleased) return;
        isReleased = true;
        this.#next();
      },
    };
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (this.#queue.size >= waiting) throw busyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { begin: resolve };
    const leave = (reason: unknown) => {
      this.#queue.delete(one);
      reject(reason);
    };
    const late = setTimeout(() => leave(busyError()), waitMs);
    const abort = () => leave(signal!.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.add(one);
    try {
      await promise;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Hands the slot to the first caller in the queue, so that no later caller overtakes it. */
  #next(): void {
    const [first] = this.#queue;
    if (first === undefined) this.#running--;
    else {
      this.#queue.delete(first);
      first.begin();
    }
  }
}

function busyError(): DomainError {
  const message = "Too many large requests are in progress. Retry after the delay in the header Retry-After.";
  return new DomainError("service_unavailable", message, { retryAfterSeconds: 10 });
}
