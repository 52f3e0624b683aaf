export interface Subscriber {
  readonly socketId: string;
  /** Sends UTF-8 text. An event for thousands of subscribers is encoded only once. */
  send(message: Buffer): void;
}

/** The subscribers of each channel. A channel exists while it has a subscriber. */
export class Channels {
  readonly #channels = new Map<string, Set<Subscriber>>();
  readonly #joined = new Map<Subscriber, Set<string>>();

  names(): string[] {
    return [...this.#channels.keys()];
  }

  has(name: string, subscriber: Subscriber): boolean {
    return this.#joined.get(subscriber)?.has(name) ?? false;
  }

  joinedCount(subscriber: Subscriber): number {
    return this.#joined.get(subscriber)?.size ?? 0;
  }

  subscriptionCount(name: string): number {
    return this.#channels.get(name)?.size ?? 0;
  }

  join(name: string, subscriber: Subscriber): void {
    const subscribers = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, subscribers.add(subscriber));
    const joined = this.#joined.get(subscriber) ?? new Set();
    this.#joined.set(subscriber, joined.add(name));
  }

  leave(name: string, subscriber: Subscriber): void {
    this.#joined.get(subscriber)?.delete(name);
    const subscribers = this.#channels.get(name);
    if (subscribers?.delete(subscriber) && subscribers.size === 0) this.#channels.delete(name);
  }

  leaveAll(subscriber: Subscriber): void {
    for (const name of this.#joined.get(subscriber) ?? []) this.leave(name, subscriber);
    this.#joined.delete(subscriber);
  }

  /** Sends an event to all subscribers, except for the socket that caused it. */
  publish(name: string, event: string, data: string, exceptSocketId?: string): void {
    const bytes = Buffer.from(JSON.stringify({ event, channel: name, data }));
    for (const subscriber of this.#channels.get(name) ?? []) {
      if (subscriber.socketId !== exceptSocketId) subscriber.send(bytes);
    }
  }
}
