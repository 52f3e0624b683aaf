import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import type { Socket } from "node:net";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export type BodyTimeouts = {
  /** Time limit for reading and discarding the rest of a rejected body. */
  lingerMs: number;
  /** Longest pause in the rest of a rejected body. */
  lingerIdleMs: number;
  /** Longest pause in any other body. After it, the connection ends. */
  bodyIdleMs: number;
  /** Fewest bytes of a body that must arrive in each period of `rateMs` in which this process reads it. */
  rateBytes: number;
  rateMs: number;
};

/** 500 bytes a second, as Apache requires (https://httpd.apache.org/docs/2.4/mod/mod_reqtimeout.html). */
const rate = { rateBytes: 15_000, rateMs: 30_000 };
const timeouts: BodyTimeouts = { lingerMs: 30_000, lingerIdleMs: 5_000, bodyIdleMs: 60_000, ...rate };

const lingering = new WeakSet<Socket>();

/** Returns whether a connection only waits for its end. Further bytes on it are not a request. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

/**
 * Returns the response class of a server. A response that starts before the request's body is complete ends the
 * connection: the rest of the body must never count as the next request. Most such responses reject the request. A
 * connection whose body pauses too long or arrives too slowly ends too.
 *
 * It is a class, because a function per response would survive so long that its garbage collection takes a fifth of the
 * time of a small call (docs/decisions/0174-predictions-in-front-of-next.md).
 */
export function unreadBodyResponse({ lingerMs, lingerIdleMs, bodyIdleMs, ...rate }: BodyTimeouts = timeouts) {
  const arriving = new ArrivingBodies(rate);
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    /** Socket of the body, kept here because an abandoned request no longer has it. */
    readonly #source: Socket | null;

    constructor(request: Request) {
      super(request);
      const { headers, socket } = request;
      const bytes = Number(headers["content-length"] ?? 0);
      this.#source = headers["transfer-encoding"] !== undefined || bytes > 0 ? socket : null;
      if (this.#source === null || isLingering(socket)) return;
      socket.setTimeout(bodyIdleMs);
      arriving.add(request);
      request.once("end", () => {
        socket.setTimeout(0);
        arriving.delete(request);
      });
    }

    override writeHead(status: number, message?: string, headers?: Headers): this;
    override writeHead(status: number, headers?: Headers): this;
    override writeHead(...head: [status: number, ...(string | Headers | undefined)[]]): this {
      const socket = this.#source;
      if (socket !== null && !this.req.complete && !this.headersSent) {
        this.setHeader("Connection", "close");
        // Node.js calls this method after it has written such a response.
        socket.destroySoon = () => linger(socket, lingerMs, lingerIdleMs);
      }
      return super.writeHead(...(head as [number, Headers?]));
    }

    /** Sends the head together with data of the same event loop iteration. Next.js calls this before each body. */
    override flushHeaders(): void {
      const { socket } = this;
      socket?.cork();
      setImmediate(() => socket?.uncork());
      super.flushHeaders();
    }
  };
}

/** Bodies that have not arrived in full. One timer serves all of them, because a timer per call would cost time. */
class ArrivingBodies {
  /** Bytes that the connection had received when the current period began; null if no handler read the body then. */
  readonly #received = new Map<IncomingMessage, number | null>();
  readonly #rateBytes: number;

  constructor({ rateBytes, rateMs }: Pick<BodyTimeouts, "rateBytes" | "rateMs">) {
    this.#rateBytes = rateBytes;
    setInterval(() => this.#endSlow(), rateMs).unref();
  }

  add(request: IncomingMessage): void {
    this.#received.set(request, null);
  }

  delete(request: IncomingMessage): void {
    this.#received.delete(request);
  }

  #endSlow(): void {
    for (const [request, before] of this.#received) {
      // Null once the request is abandoned, although the types of Node.js exclude it.
      const socket = request.socket as Socket | null;
      if (socket === null || socket.destroyed || isLingering(socket)) {
        this.delete(request);
        continue;
      }
      const isRead = isReading(request);
      if (isRead && before !== null && socket.bytesRead - before < this.#rateBytes) socket.destroy();
      this.#received.set(request, isRead ? socket.bytesRead : null);
    }
  }
}

/** Returns whether only the client can delay the body: a handler reads it, and the buffer has room. */
function isReading(request: IncomingMessage): boolean {
  return request.readableDidRead && request.readableLength < request.readableHighWaterMark;
}

/**
 * Ends a connection from this side, and discards incoming bytes for a while. Unread bytes would make TCP reset the
 * connection, and a caller that still sends might never see the response.
 */
function linger(socket: Socket, limitMs: number, idleMs: number): void {
  lingering.add(socket);
  const late = setTimeout(() => socket.destroy(), limitMs);
  socket.once("close", () => clearTimeout(late));
  socket.setTimeout(idleMs, () => socket.destroy());
  // Detaches the HTTP parser.
  socket.removeAllListeners("data");
  socket.on("data", () => {});
  socket.once("end", () => socket.destroy());
  socket.end();
  socket.resume();
  // The parser stops reading if no code consumes the body, without the socket's knowledge. This call restarts it.
  socket._read(0);
}
