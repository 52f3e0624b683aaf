import http from "node:http";
import https from "node:https";
import type Pusher from "pusher";
import { channelOf } from "#lib/contract/channel";
import type { PusherSettings } from "#lib/platform/config/environment";
import { ChannelError } from "./channel-error.ts";
import type { WaitingEvent } from "./coalesce-events.ts";
import { pusherClient } from "./pusher-client.ts";

/** Time limit of a call, including its response body. */
const defaultTimeoutMs = 5_000;

/** Client of the relay for the channel. Each call ends in bounded time, even if the channel hangs. */
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
      channel: channelOf(projectId),
      name,
      data: payload,
    }));
    return this.#call(() => this.#pusher.triggerBatch(batch));
  }

  /**
   * Sends a request that every channel with these credentials answers, also about a channel without subscribers.
   *
   * @throws {ChannelError}
   */
  greet(): Promise<void> {
    return this.#call(() => this.#pusher.get({ path: `/channels/${channelOf("none")}` }));
  }

  /**
   * Ends the connections of a user.
   * https://pusher.com/docs/channels/server_api/terminating-user-connections/
   *
   * @throws {ChannelError}
   */
  endConnections(userName: string): Promise<void> {
    return this.#call(() => this.#pusher.terminateUserConnections(userName));
  }

  /**
   * Closes the connection. Call it when no event waits, because the channel may close an idle connection at any time.
   */
  rest(): void {
    this.#agent.destroy();
  }

  /** The library's own time-out covers only the response headers. The body may never arrive. */
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

/** Checks that the channel itself has responded, not a redirect or a proxy's page. */
export async function confirm(response: Pusher.Response): Promise<void> {
  const { status } = response;
  const body = await response.text();
  if (status !== 200 || !/^\s*\{/.test(body)) throw { status, body };
}
