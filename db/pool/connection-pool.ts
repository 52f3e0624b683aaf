import { type ConnectionOptions, PooledConnection } from "./pooled-connection.ts";

export type PoolLoad = {
  /** Connections that may be open at a time. */
  max: number;
  inUse: number;
  /** Callers that wait for one. */
  waiting: number;
};

type Waiter = { give: (connection: PooledConnection) => void; refuse: (reason: Error) => void };

/** A caller gives up before a browser would. */
const waitMs = 10_000;

/** At most `max` connections, made when they are needed. One that is lost is replaced by a new one. */
export class ConnectionPool {
  readonly #max: number;
  readonly #options: ConnectionOptions;
  readonly #idle: PooledConnection[] = [];
  readonly #inUse = new Set<PooledConnection>();
  readonly #waiting = new Set<Waiter>();
  #onEmpty: (() => void) | null = null;

  constructor(max: number, options: ConnectionOptions) {
    this.#max = max;
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

  /** Ends it once nothing is under way, or after so many milliseconds. */
  async close(graceMs: number): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const { refuse } of this.#waiting) refuse(failure("The pool is closed", "CONNECTION_ENDED"));
    this.#waiting.clear();
    if (this.#inUse.size > 0) {
      const timer = setTimeout(() => this.#onEmpty?.(), graceMs);
      await empty;
      clearTimeout(timer);
    }
    for (const connection of [...this.#inUse, ...this.#idle.splice(0)]) connection.end();
  }

  #free(): PooledConnection | null {
    if (this.#onEmpty !== null) throw failure("The pool is closed", "CONNECTION_ENDED");
    let connection = this.#idle.pop();
    while (connection?.isLost) connection = this.#idle.pop();
    if (connection === undefined) {
      if (this.#inUse.size >= this.#max) return null;
      connection = new PooledConnection(this.#options);
    }
    this.#inUse.add(connection);
    return connection;
  }

  #wait(): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(failure(`No connection to the database was free for ${waitMs} ms`, "ETIMEDOUT"));
      }, waitMs);
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          done(value);
        };
      const waiter: Waiter = { give: settle(resolve), refuse: settle(reject) };
      this.#waiting.add(waiter);
    });
  }

  #takeBack(connection: PooledConnection): void {
    this.#inUse.delete(connection);
    if (!connection.isLost) this.#idle.push(connection);
    // What has befallen one has most often befallen those that rest, too, and nobody shall wait for each of them.
    else for (const resting of this.#idle.splice(0)) resting.end();
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.give(this.#free()!);
    } else if (this.#inUse.size === 0) this.#onEmpty?.();
  }
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
