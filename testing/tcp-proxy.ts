import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Line, SlowLine } from "./slow-line.ts";

/** A way between two programs that can be disturbed. */
export type TcpProxy = AsyncDisposable & {
  host: string;
  port: number;
  /** The same address by this way: `postgres://…`, `http://…`. */
  via(url: string): string;
  /** From now on connections are half open: they stand, new ones are taken too, but nothing comes through either way. */
  pause(): void;
  /** From now on what callers say comes through, and no answer comes back. */
  pauseAnswers(): void;
  /** Lets everything through again, what had gathered meanwhile first. */
  resume(): void;
  /** Resets every connection; new ones are taken. */
  cut(): void;
  /** Connections that callers hold. */
  readonly connections: number;
  close(): Promise<void>;
};

/**
 * Opens a way to a TCP server, on a free port of the loopback interface.
 *
 * @param line what it is like in each direction; without it, as fast as this machine
 */
export async function startTcpProxy(target: { host: string; port: number }, line?: Line): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const lines = line && { up: new SlowLine(line), down: new SlowLine(line) };
  let paused = false;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (caller) => {
    const pair = new Pair(caller, { target, lines }, () => pairs.delete(pair));
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
      for (const pair of pairs) pair.flow();
    },
    cut,
    get connections() {
      return pairs.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Way = {
  target: { host: string; port: number };
  lines: { up: SlowLine; down: SlowLine } | undefined;
};

/** A caller's connection and the one to the server, which is made when bytes may flow for the first time. */
class Pair {
  readonly #caller: Socket;
  readonly #way: Way;
  #server: Socket | null = null;

  constructor(caller: Socket, way: Way, onEnd: () => void) {
    this.#caller = caller;
    this.#way = way;
    caller.on("error", () => {}); // "close" follows.
    caller.once("close", () => {
      onEnd();
      this.#server?.destroy();
    });
  }

  flow(): void {
    if (this.#server === null) {
      const server = connect({ ...this.#way.target, allowHalfOpen: true });
      server.on("error", () => {});
      server.once("close", (failed) => (failed ? this.reset() : this.#caller.destroy()));
      this.#server = server;
    }
    const { lines } = this.#way;
    if (lines) {
      this.#caller.pipe(lines.up.way()).pipe(this.#server);
      this.#server.pipe(lines.down.way()).pipe(this.#caller);
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
