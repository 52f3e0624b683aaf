import http from "node:http";
import https from "node:https";
import type Pusher from "pusher";
import { channelOf } from "#lib/contract/channel";
import type { PusherSettings } from "#lib/platform/config/environment";
import type { WaitingEvent } from "./coalesce-events.ts";
import { pusherClient } from "./pusher-client.ts";

/** How long a call may take, its answer read, before it counts as failed. */
const defaultTimeoutMs = 5_000;

/** Answers that are about what was sent, and no passing state of the channel. */
const refusals: readonly unknown[] = [400, 413, 422];

/** What the channel answers instead of taking events, or that it does not answer. */
export class ChannelError extends Error {
  override name = "ChannelError";
  /** Whether it says that these events are not to be sent again as they are. */
  readonly isRefusal: boolean;

  constructor(error: unknown) {
    const { status, body, error: cause } = error as { status?: number; body?: string; error?: unknown };
    const said =
      status === undefined ? "does not answer" : `answers ${status}: ${String(body).slice(0, 200)}`;
    super(`The realtime channel ${said}`, { cause: status === undefined ? (cause ?? error) : undefined });
    this.isRefusal = refusals.includes(status);
  }
}

/** The relay's side of the channel: each call ends, whatever the channel does, and in bounded time. */
export class EventChannel {
  readonly #agent: http.Agent;
  readonly #pusher: Pusher;
  readonly #timeoutMs: number;

  constructor(settings: PusherSettings, timeoutMs = defaultTimeoutMs) {
    this.#agent = new (settings.useTls ? https : http).Agent({ keepAlive: true });
    this.#pusher = pusherClient(settings, this.#agent);
    this.#timeoutMs = timeoutMs;
  }

  /** @throws {ChannelError} */
  send(events: readonly WaitingEvent[]): Promise<void> {
    const batch = events.map(({ projectId, name, payload }) => ({
      ...{ channel: channelOf(projectId), name, data: payload },
    }));
    return this.#call(() => this.#pusher.triggerBatch(batch));
  }

  /**
   * Asks something that any channel answers that knows this service.
   *
   * @throws {ChannelError}
   */
  greet({ projectId }: WaitingEvent): Promise<void> {
    return this.#call(() => this.#pusher.get({ path: `/channels/${channelOf(projectId)}` }));
  }

  /** Lets go of the connection, to be called when nothing waits: the other side may close a quiet one at any moment. */
  rest(): void {
    this.#agent.destroy();
  }

  /** The library's own time-out ends with the head of an answer; its body may never come. */
  async #call(ask: () => Promise<Pusher.Response>): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new Error(`No answer within ${this.#timeoutMs} ms`));
      this.rest();
    }, this.#timeoutMs);
    try {
      await Promise.race([ask().then(confirm), late.promise]);
    } catch (error) {
      throw new ChannelError(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A redirection, or a page of somebody in between, says nothing of the events. */
async function confirm(response: Pusher.Response): Promise<void> {
  const { status } = response;
  const body = await response.text();
  if (status !== 200 || !/^\s*\{/.test(body)) throw { status, body };
}
