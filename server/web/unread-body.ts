import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import type { Socket } from "node:net";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

export type Patience = {
  /** How long the rest of a refused body is read and thrown away, and how long it may pause. */
  lingerMs: number;
  lingerIdleMs: number;
  /** How long a body may pause before its connection is ended. */
  bodyIdleMs: number;
};

const patience: Patience = { lingerMs: 30_000, lingerIdleMs: 5_000, bodyIdleMs: 60_000 };

const leaving = new WeakSet<Socket>();

/** Whether a connection only waits for its end: what still comes on it is no request. */
export const isLeaving = (socket: Socket): boolean => leaving.has(socket);

/**
 * Answers, for a server to make, that end the connection of a request that is answered before its body has come, refused
 * most often: the rest of a body must never be taken for the next request. And of one whose body stops coming.
 *
 * A class, since each answer that is given a function of its own lives so long that collecting it takes a fifth of the
 * time of a small call (docs/decisions/0094-predict-beside-next.md).
 */
export function closingUnread({ lingerMs, lingerIdleMs, bodyIdleMs }: Patience = patience) {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    /** What the body comes on, where there is one: a request that is given up knows it no more. */
    readonly #source: Socket | null;

    constructor(request: Request) {
      super(request);
      const { headers, socket } = request;
      const bytes = Number(headers["content-length"] ?? 0);
      this.#source = headers["transfer-encoding"] !== undefined || bytes > 0 ? socket : null;
      if (this.#source === null || isLeaving(socket)) return;
      socket.setTimeout(bodyIdleMs);
      request.once("end", () => socket.setTimeout(0));
    }

    override writeHead(status: number, message?: string, headers?: Headers): this;
    override writeHead(status: number, headers?: Headers): this;
    override writeHead(...head: [status: number, ...(string | Headers | undefined)[]]): this {
      const socket = this.#source;
      if (socket !== null && !this.req.complete && !this.headersSent) {
        this.setHeader("Connection", "close");
        // What Node.js calls once such an answer is written.
        socket.destroySoon = () => linger(socket, lingerMs, lingerIdleMs);
      }
      return super.writeHead(...(head as [number, Headers?]));
    }

    /** Next.js asks for this before each body: what follows in the same turn of the event loop goes with the head. */
    override flushHeaders(): void {
      const { socket } = this;
      socket?.cork();
      setImmediate(() => socket?.uncork());
      super.flushHeaders();
    }
  };
}

/**
 * Ends a connection from this side, and reads on for a while: where bytes are left unread, TCP resets the connection,
 * and a caller that is still sending might never see its answer.
 */
function linger(socket: Socket, longestMs: number, idleMs: number): void {
  leaving.add(socket);
  const late = setTimeout(() => socket.destroy(), longestMs);
  socket.once("close", () => clearTimeout(late));
  socket.setTimeout(idleMs, () => socket.destroy());
  // Takes the bytes away from the HTTP parser.
  socket.removeAllListeners("data");
  socket.on("data", () => {});
  socket.once("end", () => socket.destroy());
  socket.end();
  socket.resume();
  // Where the parser had stopped reading, because nobody took the body, the socket does not know of it.
  socket._read(0);
}
