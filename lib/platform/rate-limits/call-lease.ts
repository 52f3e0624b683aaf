import type { Lease } from "#lib/platform/concurrency/leases";
import type { Grant } from "./count-call.ts";
import { cost, type Rate, type Verdict, verdict } from "./rate.ts";

// A process takes some calls in advance, so that most calls need no statement. Taking them sets the shared clock ahead
// (`count-call.ts`), each call by a piece of time as long as its cost. A held call may happen until its piece has begun to
// pass, because until then the clock still stands ahead of it and keeps its place in the limit.
//
// For example, at 60 calls a minute a piece is 1 s long. Others have set the clock to 12:00:20 when a process takes ten calls at
// 12:00:00, so the clock then shows 12:00:30. The process may use all ten until 12:00:20. At 12:00:20.5 the first piece passes,
// and nine calls are left; at 12:00:29 one is left, at 12:00:30 none.
//
// Keeping the ten calls until they are used would be simpler and break the limit. An hour later the clock is behind the time,
// so the bucket counts as empty: other processes may send a whole burst, and at the same moment this one sends ten more.

/** Rounding error as a share of one call. The arrival time is a sum of many costs. */
const rounding = 1e-6;

/** Estimates how many calls of a subject arrive during a lease, from the calls since the previous request. */
export class Demand {
  #sinceMs: number;
  #calls = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  count(calls = 1): void {
    this.#calls += calls;
  }

  /** Returns the calls to expect in `spanMs`, and starts a new count at `nowMs`. */
  expect(spanMs: number, nowMs: number): number {
    const expected = Math.floor((this.#calls * spanMs) / Math.max(1, nowMs - this.#sinceMs));
    this.#sinceMs = nowMs;
    this.#calls = 0;
    return expected;
  }
}

/** Calls of a subject that the database has already counted and that have not happened yet. */
export class CallLease implements Lease<Verdict> {
  readonly demand: Demand;
  readonly #rate: Rate;
  readonly #aheadSeconds: number;
  readonly #requestedMs: number;
  readonly #low: number;
  #left: number;
  #previous: CallLease | null;

  /**
   * @param requestedMs time before the request, on a monotonic clock
   * @param previous the lease that this one renews, which is used up first
   */
  constructor(
    rate: Rate,
    { granted, aheadSeconds }: Grant,
    requestedMs: number,
    demand = new Demand(requestedMs),
    previous: CallLease | null = null,
  ) {
    this.demand = demand;
    this.#rate = rate;
    this.#aheadSeconds = aheadSeconds;
    this.#requestedMs = requestedMs;
    this.#low = Math.floor(granted / 2);
    this.#left = granted;
    this.#previous = previous;
  }

  use(nowMs: number): Verdict | null {
    const earlier = this.#previous?.use(nowMs) ?? null;
    if (earlier !== null) return earlier;
    this.#previous = null;
    const seconds = (nowMs - this.#requestedMs) / 1000;
    this.#left = Math.min(
      this.#left,
      Math.floor((this.#aheadSeconds - seconds) / cost(this.#rate) + rounding),
    );
    if (this.#left < 1) return null;
    this.demand.count();
    return this.#allow(seconds);
  }

  answer(): Verdict {
    return this.#left < 1 ? verdict(this.#rate, false, this.#aheadSeconds) : this.#allow(0);
  }

  isHalfOver(): boolean {
    return this.#previous === null && this.#left < this.#low;
  }

  #allow(seconds: number): Verdict {
    this.#left--;
    return verdict(this.#rate, true, this.#aheadSeconds - seconds - this.#left * cost(this.#rate));
  }
}
