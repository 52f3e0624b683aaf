import { DomainError } from "#lib/platform/errors/domain-error";

type SlotLimits = {
  /** Holders at the same time. */
  atOnce: number;
  /** Callers that may wait, and for how many milliseconds. */
  waiting: number;
  waitMs: number;
};

type Waiting = { owner: string | null; begin: () => void };

/** Part of the queue that callers of one project may take. */
const WAITING_SHARE = 0.5;

/**
 * A semaphore with a bounded queue: expensive work runs a few at a time, in the order of the calls. The callers of one
 * project never hold all slots, unless there is only one. Example: of three slots, project A holds two and waits with a
 * third call. A call of project B begins at once. When a call of A ends, the third one begins.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #queue = new Set<Waiting>();
  /** Slots held, by project. */
  readonly #held = new Map<string, number>();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a slot. Disposing of the result frees the slot.
   *
   * @param owner project of the caller; null for a caller who may hold all slots
   * @throws {DomainError} service_unavailable if the queue is full or the wait too long
   * @throws the reason of `signal`
   */
  async acquire(signal?: AbortSignal, owner: string | null = null): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#running < this.#limits.atOnce && this.#hasShare(owner)) this.#take(owner);
    else await this.#wait(signal, owner);
    let isReleased = false;
    return {
      [Symbol.dispose]: () => {
        if (isReleased) return;
        isReleased = true;
        this.#release(owner);
      },
    };
  }

  async #wait(signal: AbortSignal | undefined, owner: string | null): Promise<void> {
    const { waiting, waitMs } = this.#limits;
    if (this.#queue.size >= waiting || this.#fillsQueue(owner)) throw busyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { owner, begin: resolve };
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

  #hasShare(owner: string | null): boolean {
    const { atOnce } = this.#limits;
    return owner === null || atOnce === 1 || (this.#held.get(owner) ?? 0) < atOnce - 1;
  }

  #fillsQueue(owner: string | null): boolean {
    if (owner === null) return false;
    const own = [...this.#queue].filter((one) => one.owner === owner).length;
    return own >= Math.max(1, WAITING_SHARE * this.#limits.waiting);
  }

  #take(owner: string | null): void {
    this.#running++;
    if (owner !== null) this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
  }

  /** Hands the slot to the first caller in the queue whose project has a share, so that no later caller overtakes it. */
  #release(owner: string | null): void {
    this.#running--;
    const held = owner === null ? 0 : this.#held.get(owner)! - 1;
    if (owner !== null && held > 0) this.#held.set(owner, held);
    else if (owner !== null) this.#held.delete(owner);
    const next = [...this.#queue].find((one) => this.#hasShare(one.owner));
    if (next === undefined) return;
    this.#queue.delete(next);
    this.#take(next.owner);
    next.begin();
  }
}

function busyError(): DomainError {
  const message = "Too many large requests are in progress. Retry after the delay in the header Retry-After.";
  return new DomainError("service_unavailable", message, { retryAfterSeconds: 10, lacks: "capacity" });
}
