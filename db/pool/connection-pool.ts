import { inTime, outage } from "./in-time.ts";
import { type ConnectionOptions, PooledConnection } from "./pooled-connection.ts";

export type PoolLoad = {
  /** Maximum number of open connections. */
  max: number;
  inUse: number;
  /** Number of callers that wait for a connection. */
  waiting: number;
};

type Waiter = { give: (connection: PooledConnection) => void; reject: (reason: Error) => void };

/** Pool of at most `max` connections, opened on demand. A new connection replaces a lost one. */
export class ConnectionPool {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #options: ConnectionOptions;
  readonly #idle: PooledConnection[] = [];
  readonly #inUse = new Set<PooledConnection>();
  readonly #waiting = new Set<Waiter>();
  #onEmpty: (() => void) | null = null;

  /** @param waitMs time after which a caller stops waiting for a connection */
  constructor({ max, waitMs }: { max: number; waitMs: number }, options: ConnectionOptions) {
    this.#max = max;
    this.#waitMs = waitMs;
    this.#options = options;
  }

  get load(): PoolLoad {
    return { max: this.#max, inUse: this.#inUse.size, waiting: this.#waiting.size };
  }

  /** Lends a connection for as long as the work takes. */
  async use<T>(work: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const connection = this.#free() ?? (await this.#wait());
    try {
      return await work(connection);
    } finally {
      this.#takeBack(connection);
    }
  }

  /** Closes the pool when all work has ended, or after `graceMs` milliseconds. */
  async close(graceMs: number): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const { reject } of this.#waiting) reject(outage("The pool is closed", "CONNECTION_ENDED"));
    this.#waiting.clear();
    if (this.#inUse.size > 0) {
      const timer = setTimeout(() => this.#onEmpty?.(), graceMs);
      await empty;
      clearTimeout(timer);
    }
    for (const connection of [...this.#inUse, ...this.#idle.splice(0)]) connection.end();
  }

  #free(): PooledConnection | null {
    if (this.#onEmpty !== null) throw outage("The pool is closed", "CONNECTION_ENDED");
    let connection = this.#idle.pop();
    while (connection?.isLost) connection = this.#idle.pop();
    if (connection === undefined) {
      if (this.#inUse.size >= this.#max) return null;
      connection = new PooledConnection(this.#options);
    }
    this.#inUse.add(connection);
    return connection;
  }

  async #wait(): Promise<PooledConnection> {
    const { promise, resolve: give, reject } = Promise.withResolvers<PooledConnection>();
    const waiter: Waiter = { give, reject };
    this.#waiting.add(waiter);
    try {
      return await inTime(promise, this.#waitMs, "The pool of database connections");
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  #takeBack(connection: PooledConnection): void {
    this.#inUse.delete(connection);
    if (!connection.isLost) this.#idle.push(connection);
    // If one connection is lost, the idle ones usually are too. Closes them all, so that no caller waits for each.
    else for (const resting of this.#idle.splice(0)) resting.end();
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.give(this.#free()!);
    } else if (this.#inUse.size === 0) this.#onEmpty?.();
  }
}
