import { DomainError } from "#lib/platform/errors/domain-error";

export type TurnLimits = {
  /** How many have their turn at the same time. */
  atOnce: number;
  /** How many may wait, and how long. */
  waiting: number;
  waitMs: number;
};

type Waiting = { begin: () => void };

/** Lets a few at a time do what takes much of the machine; the others wait in the order in which they came. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue = new Set<Waiting>();
  #running = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn. Whoever has it gives it back by disposing of it.
   *
   * @throws {DomainError} service_unavailable where too many wait, or it takes too long; the reason of `signal`
   */
  async take(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#running >= this.#limits.atOnce) await this.#wait(signal);
    else this.#running++;
    let given = false;
    return {
      [Symbol.dispose]: () => {
        if (given) return;
        given = true;
        this.#next();
      },
    };
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (this.#queue.size >= waiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { begin: resolve };
    const leave = (reason: unknown) => {
      this.#queue.delete(one);
      reject(reason);
    };
    const late = setTimeout(() => leave(busy()), waitMs);
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

  /** Hands the turn on, so that nobody who comes later is before those who wait. */
  #next(): void {
    const [first] = this.#queue;
    if (first === undefined) this.#running--;
    else {
      this.#queue.delete(first);
      first.begin();
    }
  }
}

function busy(): DomainError {
  const message = "Too many large requests are being read just now. Wait as long as Retry-After says.";
  return new DomainError("service_unavailable", message, { retryAfterSeconds: 10 });
}
