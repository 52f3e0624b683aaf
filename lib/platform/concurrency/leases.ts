import { setTimeout as delay } from "node:timers/promises";

/**
 * A right that expires by itself. While it lasts, its process responds from memory instead of querying the database.
 *
 * All leases follow four rules (docs/decisions/0115-leases.md):
 *
 * 1. A lease counts from before its request, on a monotonic clock. So it also ends in time when the answer was slow, when
 *    the clock is set, and when the database is out of reach.
 * 2. A lease that is used in its second half is renewed in the background, so callers rarely wait.
 * 3. Processes do not notify each other. Code that takes a right away waits until each lease that may exist has expired
 *    (`outlast`).
 * 4. Callers that arrive during a request share the next one. So no caller gets an answer that was requested before the
 *    call, unless a lease covers it.
 *
 * | lease | right | expires | taken away by |
 * | --- | --- | --- | --- |
 * | API key | to accept the key | after 250 ms, or with the key | the change, then the wait, then the response |
 * | serving model | to predict with the model | after 25 ms | an announcement, then the wait, then the change |
 * | calls | to count some calls as allowed | piece by piece, as the rate limit refills | nothing: each is counted before |
 *
 * A wait after the change protects the caller that made it. A wait before the change protects everyone who can see it.
 *
 * `T`: the result of one use.
 */
export interface Lease<T> {
  /** Uses the right once. Returns null if the right has expired or is used up. */
  use(nowMs: number): T | null;
  /** Answers one of the callers that waited for the request, as if no time had passed since the request. */
  answer(): T;
  /** Returns whether the second half has begun. */
  isHalfOver(nowMs: number): boolean;
}

/** A value that counts as known until a point in time. With `lastsMs` 0, only the callers that waited for it get it. */
export class ValueLease<T> implements Lease<T> {
  readonly #value: T;
  readonly #halfMs: number;
  readonly #endMs: number;

  /** @param requestedMs time before the request */
  constructor(value: T, requestedMs: number, lastsMs: number) {
    this.#value = value;
    this.#halfMs = requestedMs + lastsMs / 2;
    this.#endMs = requestedMs + lastsMs;
  }

  use(nowMs: number): T | null {
    return nowMs < this.#endMs ? this.#value : null;
  }

  answer(): T {
    return this.#value;
  }

  isHalfOver(nowMs: number): boolean {
    return nowMs >= this.#halfMs;
  }
}

export type LeaseRequest<L> = {
  /** Time before the request, from which the lease counts. */
  requestedMs: number;
  /** Callers that this request answers; 0 for a renewal in the background. */
  waiting: number;
  /** The lease that the new one replaces. */
  previous: L | null;
};

type Waiter<T> = { resolve: (value: T) => void; reject: (error: unknown) => void };

/** `requesting`: whether a request is under way. There is at most one. */
type Holder<T, L> = { lease: L | null; requesting: boolean; waiting: Waiter<T>[] };

const mostLeases = 10_000;

/** The leases of one process, by name. Keeps those that were requested last. */
export class Leases<T, L extends Lease<T> = ValueLease<T>> {
  readonly #holders = new Map<string, Holder<T, L>>();

  /**
   * Uses the lease of this name once.
   *
   * @param request obtains a lease; the same for each caller of a name
   * @throws the error of the request for this caller; a failed renewal is retried at the next use
   */
  use(name: string, request: (asked: LeaseRequest<L>) => Promise<L>): T | Promise<T> {
    const holder = this.#holders.get(name) ?? { lease: null, requesting: false, waiting: [] };
    const { lease, waiting } = holder;
    if (lease !== null && waiting.length === 0) {
      const nowMs = performance.now();
      const value = lease.use(nowMs);
      if (value !== null) {
        if (!holder.requesting && lease.isHalfOver(nowMs)) void this.#request(name, holder, request);
        return value;
      }
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    waiting.push({ resolve, reject });
    if (!holder.requesting) void this.#request(name, holder, request);
    return promise;
  }

  async #request(
    name: string,
    holder: Holder<T, L>,
    request: (asked: LeaseRequest<L>) => Promise<L>,
  ): Promise<void> {
    this.#keep(name, holder);
    holder.requesting = true;
    do {
      const asking = holder.waiting.splice(0);
      const requestedMs = performance.now();
      try {
        const lease = await request({ requestedMs, waiting: asking.length, previous: holder.lease });
        holder.lease = lease;
        for (const { resolve } of asking) resolve(lease.answer());
      } catch (error) {
        for (const { reject } of asking) reject(error);
      }
      serveWaiting(holder);
    } while (holder.waiting.length > 0);
    holder.requesting = false;
  }

  /** Inserts the holder last: the first entry of the map is the least recently requested. */
  #keep(name: string, holder: Holder<T, L>): void {
    this.#holders.delete(name);
    this.#holders.set(name, holder);
    if (this.#holders.size > mostLeases) this.#holders.delete(this.#holders.keys().next().value!);
  }
}

/** Serves callers that arrived during a request from its lease, as far as the lease suffices. */
function serveWaiting<T, L extends Lease<T>>({ lease, waiting }: Holder<T, L>): void {
  while (waiting.length > 0) {
    const value = lease?.use(performance.now()) ?? null;
    if (value === null) return;
    waiting.shift()!.resolve(value);
  }
}

/** Waits until no lease that was requested before this call exists in any process. */
export async function outlast(leaseMs: number): Promise<void> {
  // Timers may fire early, and the clocks of two machines differ slightly in speed.
  await delay(Math.ceil(1.03 * leaseMs) + 2);
}
