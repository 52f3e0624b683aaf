import { randomInt } from "node:crypto";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Channels, Subscriber } from "#lib/realtime/server/channels";
import { subscribe, subscription } from "#lib/realtime/server/subscribe";
import { readSignIn, type Users } from "#lib/realtime/server/users";
import type { Traffic } from "./figures.ts";
import {
  type CloseCode,
  clientEventRejected,
  closeCodes,
  isEncrypted,
  limits,
  needsAuthorisation,
  serverMessage,
} from "./protocol.ts";
import { RatePerSecond } from "./rate-per-second.ts";
import type { Credentials } from "./signatures.ts";

const message = z.object({
  event: z.string().max(200),
  channel: z.string().optional(),
  data: z.unknown().optional(),
});

/** A client that does not read what it is sent is let go before it fills the memory. */
const unsentLimitBytes = 4 << 20;

export type ConnectionContext = {
  channels: Channels;
  users: Users<Connection>;
  credentials: Credentials;
  activityTimeoutSeconds: number;
  pongSeconds: number;
  traffic: Traffic;
};

type Fault = { code: number | null; message: string };

/** One client: answers its messages, and watches that it is still there. */
export class Connection implements Subscriber {
  readonly socketId = `${randomInt(1, 2 ** 31)}.${randomInt(1, 2 ** 31)}`;
  readonly #socket: WebSocket;
  readonly #context: ConnectionContext;
  #userId: string | null = null;
  #watch: NodeJS.Timeout;
  readonly #messages = new RatePerSecond(limits.messagesPerSecond);
  readonly #clientEvents = new RatePerSecond(limits.clientEventsPerSecond);

  constructor(socket: WebSocket, context: ConnectionContext) {
    this.#socket = socket;
    this.#context = context;
    this.#watch = this.#expectActivity();
    socket.on("message", (raw) => {
      clearTimeout(this.#watch);
      this.#watch = this.#expectActivity();
      context.traffic.received++;
      this.#receive(raw.toString());
    });
    socket.on("error", () => socket.terminate()); // A broken frame; "close" follows.
    socket.on("close", () => {
      clearTimeout(this.#watch);
      context.channels.leaveAll(this);
      if (this.#userId !== null) context.users.remove(this.#userId, this);
    });
    const { activityTimeoutSeconds } = context;
    this.#tell("pusher:connection_established", {
      socket_id: this.socketId,
      activity_timeout: activityTimeoutSeconds,
    });
  }

  get userId(): string | null {
    return this.#userId;
  }

  send(message: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > unsentLimitBytes) this.close(closeCodes.overCapacity);
    else {
      this.#context.traffic.sent++;
      this.#socket.send(message, { binary: false });
    }
  }

  #tell(event: string, data: unknown): void {
    this.send(Buffer.from(serverMessage(event, data)));
  }

  close({ code, message: reason }: CloseCode): void {
    this.#socket.close(code, reason);
  }

  /** After a silence the client is pinged; without a sign of life then, the connection counts as lost. */
  #expectActivity(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#tell("pusher:ping", {});
      this.#watch = setTimeout(() => {
        this.close(closeCodes.noPong);
        this.#socket.terminate();
      }, this.#context.pongSeconds * 1000);
    }, this.#context.activityTimeoutSeconds * 1000);
  }

  #receive(text: string): void {
    if (!this.#messages.allows()) {
      this.close(closeCodes.overCapacity);
      return;
    }
    const fault = this.#handle(text);
    if (fault !== null) this.#tell("pusher:error", fault);
  }

  /** @returns what is wrong with the message */
  #handle(text: string): Fault | null {
    const parsed = message.safeParse(parseJson(text));
    if (!parsed.success) return { code: null, message: "Messages are JSON objects with an event" };
    const { event, channel = "", data } = parsed.data;
    if (event.startsWith("client-")) return this.#forward(event, channel, data, Buffer.byteLength(text));
    switch (event) {
      case "pusher:ping":
        this.#tell("pusher:pong", {});
        return null;
      case "pusher:pong":
        return null;
      case "pusher:signin":
        return this.#signIn(typeof data === "string" ? parseJson(data) : data);
      case "pusher:subscribe":
      case "pusher:unsubscribe": {
        const request = subscription.safeParse(typeof data === "string" ? parseJson(data) : data);
        if (!request.success) return { code: null, message: `${event} names no channel` };
        if (event === "pusher:subscribe" && this.#context.channels.has(request.data.channel, this)) {
          return { code: null, message: `Existing subscription to channel ${request.data.channel}` };
        }
        if (event === "pusher:subscribe") subscribe(this, request.data, this.#context);
        else this.#context.channels.leave(request.data.channel, this);
        return null;
      }
      default:
        return { code: null, message: `Unknown event ${event}` };
    }
  }

  /** A connection stays whose it is, and one that is nobody's although it says so is closed. */
  #signIn(data: unknown): Fault | null {
    if (this.#userId !== null) return { code: null, message: "The connection has signed in already" };
    const user = readSignIn(this.#context.credentials, this.socketId, data);
    if (user === null) {
      this.close(closeCodes.unauthorized);
      return null;
    }
    this.#userId = user.id;
    this.#context.users.add(user.id, this);
    this.#tell("pusher:signin_success", { user_data: user.userData });
    return null;
  }

  /** A client's own event goes to the others on a channel that it was let into. */
  #forward(event: string, channel: string, data: unknown, bytes: number): Fault | null {
    const { channels } = this.#context;
    if (!needsAuthorisation(channel) || isEncrypted(channel) || !channels.has(channel, this)) {
      return {
        ...{ code: null },
        message: "Client events need a subscription to a private or presence channel that is not encrypted",
      };
    }
    if (bytes > limits.dataBytes) {
      return { code: null, message: `Client events have at most ${limits.dataBytes} bytes` };
    }
    if (!this.#clientEvents.allows()) {
      return { code: clientEventRejected, message: "Client event rejected due to rate limit" };
    }
    channels.forward(channel, event, data, this);
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schema refuses it.
  }
}
