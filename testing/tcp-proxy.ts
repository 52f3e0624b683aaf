import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Line, SlowLine } from "./slow-line.ts";

/** Proxy between two programs that can disturb their connections. */
export type TcpProxy = AsyncDisposable & {
  host: string;
  port: number;
  /** Returns the URL (`postgres://…`, `http://…`) with the proxy's host and port. */
  via(url: string): string;
  /** Makes connections half open: they stay open, and new ones are accepted, but no bytes pass in either direction. */
  pause(): void;
  /** Holds back the server's bytes on existing connections. Bytes from callers still pass. */
  pauseAnswers(): void;
  /** Lets all bytes pass again, starting with those that were held back. */
  resume(): void;
  /** Resets every connection. New connections are accepted. */
  cut(): void;
  /** Resets each new connection before the server's byte of this number arrives, until `resume`. */
  cutAfter(bytes: number): void;
  /** Number of connections from callers. */
  readonly connections: number;
  close(): Promise<void>;
};

/**
 * Starts a proxy to a TCP server, on a free port of the loopback interface.
 *
 * @param line latency and bandwidth in each direction; unlimited by default
 */
export async function startTcpProxy(target: { host: string; port: number }, line?: Line): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const lines = line && { up: new SlowLine(line), down: new SlowLine(line) };
  let paused = false;
  let lastByte = Number.POSITIVE_INFINITY;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (caller) => {
    const pair = new Pair(caller, { target, lines, lastByte }, () => pairs.delete(pair));
    pairs.add(pair);
    if (!paused) pair.flow();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { address: host, port } = server.address() as AddressInfo;
  const cut = () => {
    for (const pair of pairs) pair.reset();
  };
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    cut();
    await closed;
  };
  return {
    host,
    port,
    via: (url) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
    pause() {
      paused = true;
      for (const pair of pairs) pair.halt();
    },
    pauseAnswers() {
      for (const pair of pairs) pair.haltAnswers();
    },
    resume() {
      paused = false;
      lastByte = Number.POSITIVE_INFINITY;
      for (const pair of pairs) pair.flow();
    },
    cut,
    cutAfter(bytes) {
      lastByte = bytes;
    },
    get connections() {
      return pairs.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Link = {
  target: { host: string; port: number };
  lines: { up: SlowLine; down: SlowLine } | undefined;
  /** Number of the server's bytes after which the connection is reset. */
  lastByte: number;
};

/** A caller's connection and its connection to the server, which opens when bytes may pass for the first time. */
class Pair {
  readonly #caller: Socket;
  readonly #link: Link;
  #server: Socket | null = null;

  constructor(caller: Socket, link: Link, onEnd: () => void) {
    this.#caller = caller;
    this.#link = link;
    caller.on("error", () => {}); // The event "close" follows.
    caller.once("close", () => {
      onEnd();
      this.#server?.destroy();
    });
  }

  /** Pipes both directions; each only once, because a second pipe would double the bytes. */
  flow(): void {
    this.halt();
    if (this.#server === null) {
      const server = connect({ ...this.#link.target, allowHalfOpen: true });
      server.on("error", () => {});
      server.once("close", (failed) => (failed ? this.reset() : this.#caller.destroy()));
      server.on("data", () => {
        if (server.bytesRead >= this.#link.lastByte) this.reset();
      });
      this.#server = server;
    }
    const { lines } = this.#link;
    if (lines) {
      this.#caller.pipe(lines.up.stream()).pipe(this.#server);
      this.#server.pipe(lines.down.stream()).pipe(this.#caller);
      return;
    }
    this.#caller.pipe(this.#server);
    this.#server.pipe(this.#caller);
  }

  halt(): void {
    this.#caller.unpipe().pause();
    this.haltAnswers();
  }

  haltAnswers(): void {
    this.#server?.unpipe().pause();
  }

  reset(): void {
    this.#server?.resetAndDestroy();
    this.#caller.resetAndDestroy();
  }
}
