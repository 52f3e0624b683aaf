import { setTimeout as wait } from "node:timers/promises";
import { type Credentials, signed } from "#server/realtime/signatures";
import type { ChannelEvent } from "./channels.ts";

export type WebhookOptions = {
  url: string;
  credentials: Credentials;
  /** Told of events that could not be delivered. */
  onLost: (count: number, reason: string) => void;
  /** Waits between the attempts at one delivery. */
  retryMs?: readonly number[];
};

const EVENTS_PER_DELIVERY = 100;
/** More are dropped, the oldest first: a receiver that is away must not fill the memory. */
const EVENTS_WAITING = 10_000;
const TIMEOUT_MS = 10_000;
/** About five minutes in all, as Pusher does. */
const RETRY_MS = [1_000, 5_000, 30_000, 60_000, 180_000];

/**
 * Tells a receiver of what happens on the channels, in order and signed, as Pusher does:
 * https://pusher.com/docs/channels/server_api/webhooks/
 */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #stop = new AbortController();
  #waiting: ChannelEvent[] = [];
  #delivering: Promise<void> | null = null;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  add(event: ChannelEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > EVENTS_WAITING) {
      this.#waiting.shift();
      this.#options.onLost(1, "too many wait");
    }
    this.#delivering ??= this.#deliver().finally(() => {
      this.#delivering = null;
    });
  }

  /** Gives up what waits. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#delivering;
  }

  async #deliver(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const events = this.#waiting.splice(0, EVENTS_PER_DELIVERY);
      const reason = await this.#send(JSON.stringify({ time_ms: Date.now(), events }));
      if (reason !== null) this.#options.onLost(events.length, reason);
    }
  }

  /** @returns why it was given up; null: it was delivered */
  async #send(body: string): Promise<string | null> {
    const { retryMs = RETRY_MS } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const fault = await this.#post(body);
      if (fault === null || attempt === retryMs.length) return fault;
      const stopped = await wait(retryMs[attempt], false, { signal: this.#stop.signal }).catch(() => true);
      if (stopped) return "the server ends";
    }
  }

  async #post(body: string): Promise<string | null> {
    const { url, credentials } = this.#options;
    const headers = {
      "Content-Type": "application/json",
      "X-Pusher-Key": credentials.key,
      "X-Pusher-Signature": signed(credentials.secret, body),
    };
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
      await response.body?.cancel();
      return response.ok ? null : `the receiver answers ${response.status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }
}
