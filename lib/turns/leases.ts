import { AskedTogether } from "#lib/platform/concurrency/single-flight";

/** `lastsMs`: for how long it may be taken for known, from before it was asked for; 0: not at all. */
export type Found<T> = { value: T; lastsMs: number };

type Lease<T> = { value: T; renewMs: number; untilMs: number };

const mostLeases = 10_000;

/**
 * What a process knows for a while without asking again. A lease counts from before the question, on a clock that cannot be
 * set, so that it ends in time in a process that can ask nobody any more, too. One that is used in its second half is
 * renewed beside those who use it: nobody waits for it.
 */
export class Leases<T> {
  readonly #held = new Map<string, Lease<T>>();
  readonly #asked = new AskedTogether<T>();

  /** @param look asks for it; several who come at the same time share a question that was begun after they came */
  find(name: string, look: () => Promise<Found<T>>): T | Promise<T> {
    const lease = this.#current(name);
    if (lease === null)
      return this.#asked.ask(name, async () => this.#current(name)?.value ?? this.#look(name, look));
    if (performance.now() >= lease.renewMs) {
      lease.renewMs = Number.POSITIVE_INFINITY;
      // Where this fails, those who come after the lease are told.
      this.#asked.ask(name, () => this.#look(name, look)).catch(() => {});
    }
    return lease.value;
  }

  #current(name: string): Lease<T> | null {
    const lease = this.#held.get(name);
    return lease !== undefined && performance.now() < lease.untilMs ? lease : null;
  }

  async #look(name: string, look: () => Promise<Found<T>>): Promise<T> {
    const nowMs = performance.now();
    const { value, lastsMs } = await look();
    this.#held.delete(name);
    if (lastsMs > 0) this.#keep(name, { value, renewMs: nowMs + lastsMs / 2, untilMs: nowMs + lastsMs });
    return value;
  }

  /** Written last, so that the first in the map is the one that has not been asked for longest. */
  #keep(name: string, lease: Lease<T>): void {
    this.#held.set(name, lease);
    if (this.#held.size > mostLeases) this.#held.delete(this.#held.keys().next().value!);
  }
}
