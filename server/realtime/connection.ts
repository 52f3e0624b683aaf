import { randomInt } from "node:crypto";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Channels, Subscriber } from "./channels.ts";
import type { Traffic } from "./figures.ts";
import {
  type CloseCode,
  clientEventRejected,
  closeCodes,
  limits,
  parseJson,
  serverMessage,
} from "./protocol.ts";
import type { Credentials } from "./signatures.ts";
import { subscribe, subscription } from "./subscribe.ts";

const message = z.object({ event: z.string().max(200), data: z.unknown().optional() });

/** Limit of unsent bytes. A client that does not read is disconnected before it fills the memory. */
const unsentLimitBytes = 4 << 20;

type ConnectionContext = {
  channels: Channels;
  credentials: Credentials;
  activityTimeoutSeconds: number;
  pongSeconds: number;
  subscribeSeconds: number;
  traffic: Traffic;
};

type Issue = { code: number | null; message: string };

/** Connection of one client. Answers its messages and checks that it is alive. */
export class Connection implements Subscriber {
  readonly socketId = `${randomInt(1, 2 ** 31)}.${randomInt(1, 2 ** 31)}`;
  readonly #socket: WebSocket;
  readonly #context: ConnectionContext;
  #watch: NodeJS.Timeout;
  /** Closes the connection. Runs while there is no subscription. */
  #idle: NodeJS.Timeout | null;
  readonly #messages = new RatePerSecond(limits.messagesPerSecond);
  /** Credentials and projects that authorised its subscriptions. */
  readonly users = new Set<string>();
  #hasEnded = false;

  constructor(socket: WebSocket, context: ConnectionContext) {
    this.#socket = socket;
    this.#context = context;
    this.#watch = this.#expectActivity();
    this.#idle = this.#expectSubscription();
    socket.on("message", (raw) => {
      clearTimeout(this.#watch);
      this.#watch = this.#expectActivity();
      context.traffic.received++;
      this.#receive(raw.toString());
    });
    socket.on("error", () => socket.terminate()); // For example an invalid frame. The event "close" follows.
    socket.on("close", () => {
      clearTimeout(this.#watch);
      clearTimeout(this.#idle ?? undefined);
      context.channels.leaveAll(this);
    });
    const { activityTimeoutSeconds } = context;
    this.#sendEvent("pusher:connection_established", {
      socket_id: this.socketId,
      activity_timeout: activityTimeoutSeconds,
    });
  }

  send(message: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > unsentLimitBytes) this.close(closeCodes.overCapacity);
    else {
      this.#context.traffic.sent++;
      this.#socket.send(message, { binary: false });
    }
  }

  #sendEvent(event: string, data: unknown): void {
    this.send(Buffer.from(serverMessage(event, data)));
  }

  close({ code, message: reason }: CloseCode): void {
    this.#socket.close(code, reason);
  }

  /** Ends the subscriptions at once and closes the connection, without waiting for the client. */
  end(code: CloseCode): void {
    this.#context.channels.leaveAll(this);
    this.#hasEnded = true;
    this.close(code);
  }

  /** Pings a silent client, and ends the connection without a response. */
  #expectActivity(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#sendEvent("pusher:ping", {});
      this.#watch = setTimeout(() => {
        this.close(closeCodes.noPong);
        this.#socket.terminate();
      }, this.#context.pongSeconds * 1000);
    }, this.#context.activityTimeoutSeconds * 1000);
  }

  /** Closes the connection unless it subscribes in time. Anyone who knows the key of the app can open connections. */
  #expectSubscription(): NodeJS.Timeout {
    return setTimeout(() => this.close(closeCodes.noSubscription), this.#context.subscribeSeconds * 1000);
  }

  /** Starts the time limit when the last subscription has ended. Further messages do not extend it. */
  #noteSubscriptions(): void {
    const isIdle = this.#context.channels.joinedCount(this) === 0;
    if (isIdle && this.#idle === null) this.#idle = this.#expectSubscription();
    if (isIdle || this.#idle === null) return;
    clearTimeout(this.#idle);
    this.#idle = null;
  }

  #receive(text: string): void {
    if (this.#hasEnded) return;
    if (!this.#messages.allows()) {
      this.close(closeCodes.overCapacity);
      return;
    }
    const issue = this.#handle(text);
    if (issue !== null) this.#sendEvent("pusher:error", issue);
  }

  /** Handles a message. Returns its issue, or null for a valid message. */
  #handle(text: string): Issue | null {
    const parsed = message.safeParse(parseJson(text));
    if (!parsed.success) return { code: null, message: "Invalid message: send a JSON object with an event" };
    const { event, data } = parsed.data;
    if (event.startsWith("client-"))
      return { code: clientEventRejected, message: "Client events are not supported" };
    switch (event) {
      case "pusher:ping":
        this.#sendEvent("pusher:pong", {});
        return null;
      case "pusher:pong":
        return null;
      case "pusher:subscribe":
      case "pusher:unsubscribe": {
        const request = subscription.safeParse(typeof data === "string" ? parseJson(data) : data);
        if (!request.success) return { code: null, message: `${event} requires a channel` };
        if (event === "pusher:subscribe" && this.#context.channels.has(request.data.channel, this)) {
          return { code: null, message: `Existing subscription to channel ${request.data.channel}` };
        }
        if (event === "pusher:subscribe") subscribe(this, request.data, this.#context);
        else this.#context.channels.leave(request.data.channel, this);
        this.#noteSubscriptions();
        return null;
      }
      default:
        return { code: null, message: `Unsupported event ${event}` };
    }
  }
}

/** Limits calls per second. Starts a new count with each second of the clock. */
class RatePerSecond {
  readonly #limit: number;
  #second = 0;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  allows(): boolean {
    const second = Math.floor(Date.now() / 1000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    return this.#count <= this.#limit;
  }
}
