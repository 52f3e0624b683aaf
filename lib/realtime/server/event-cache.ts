export type CachedEvent = { event: string; data: string };

const keptMs = 30 * 60_000;
const channelsKept = 1_000;

/** The last event of each cache channel, as long as Pusher keeps it, and of a bounded number of channels. */
export class EventCache {
  /** The channel that was told something longest ago stands first. */
  readonly #events = new Map<string, CachedEvent & { untilMs: number }>();

  keep(channel: string, event: CachedEvent): void {
    this.#events.delete(channel);
    this.#events.set(channel, { ...event, untilMs: Date.now() + keptMs });
    if (this.#events.size > channelsKept) this.#events.delete(this.#events.keys().next().value!);
  }

  /** @returns the event and for how many more seconds it is kept */
  find(channel: string): (CachedEvent & { ttl: number }) | null {
    const found = this.#events.get(channel);
    if (found === undefined) return null;
    const { event, data, untilMs } = found;
    const leftMs = untilMs - Date.now();
    return leftMs > 0 ? { event, data, ttl: Math.ceil(leftMs / 1000) } : null;
  }
}
