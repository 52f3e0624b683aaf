import postgres, { type PostgresError, type Sql } from "postgres";
import { inTime, outage } from "./in-time.ts";
import { sendCopy } from "./send-copy.ts";

export type Statement = {
  text: string;
  params?: unknown[];
  /** Rows as arrays of their values instead of objects. */
  arrays?: boolean;
};

/** Rows, with PostgreSQL's command tag ("SELECT", "COMMIT"). */
export type Rows = unknown[] & { command: string };

export type ConnectionOptions = {
  url: string;
  /** Statement time-out of the server, including waits for locks. */
  statementMs: number;
  /** Parsers and serializers by type number. */
  types?: { parsers: object; serializers: object };
  /** Receives the payload of each notification on a channel that this connection listens to. */
  onNotify?: (payload: string) => void;
};

/** Application name of these connections on the server. Each has time limits. */
export const applicationName = "forkcast";

const connectMs = 5_000;

/** Limit of prepared statements per connection, to save server memory. Longer statements are batches. */
const mostPrepared = 200;
const longestPrepared = 4_000;

/** Time limit of a response. The server's own time-out ends earlier, so a later response never comes. */
const answerMs = (statementMs: number) => 1.25 * statementMs;

/**
 * Connection that opens at its first statement and never reopens. After a loss or a time-out each further statement
 * fails. So no statement of a transaction can run outside it.
 *
 * Uses a postgres.js client with one connection. In the pool of postgres.js, a statement may wait behind another that
 * is never answered. A statement of a lost transaction may also reach another caller's connection.
 */
export class PooledConnection {
  readonly #sql: Sql;
  readonly #answerMs: number;
  #latest: Promise<unknown> = Promise.resolve();
  #lost: Error | null = null;
  readonly #asked = new Set<string>();

  constructor({ url, statementMs, types, onNotify }: ConnectionOptions) {
    this.#answerMs = answerMs(statementMs);
    const options = {
      max: 1,
      connect_timeout: connectMs / 1_000,
      max_lifetime: null,
      // If the connection is lost during this query of the driver, the error is unhandled and ends the process.
      fetch_types: false,
      keep_alive: 10,
      connection: sessionSettings(statementMs),
      onnotice: () => {},
      onclose: () => this.#lose(outage("The connection to the database was lost", "CONNECTION_CLOSED")),
      onnotify: (_channel: string, payload: string) => onNotify?.(payload),
    };
    this.#sql = postgres(url, options as postgres.Options<Record<string, never>>);
    Object.assign(this.#sql.options.parsers, types?.parsers);
    Object.assign(this.#sql.options.serializers, types?.serializers);
  }

  /** Whether the connection is no longer usable. */
  get isLost(): boolean {
    return this.#lost !== null;
  }

  query({ text, params = [], arrays = false }: Statement): Promise<Rows> {
    return this.#inTurn(() => {
      const query = this.#sql.unsafe(text, params as never[], { prepare: this.#comesAgain(text) });
      return (arrays ? query.values() : query) as unknown as PromiseLike<Rows>;
    });
  }

  /** Sends a `COPY … FROM STDIN` with its data. The time limit covers the whole COPY. */
  copyIn(text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#inTurn(() => sendCopy(this.#sql.unsafe(text), source));
  }

  /** Sends statements one at a time. */
  #inTurn<T>(send: () => PromiseLike<T>): Promise<T> {
    const answer = this.#latest.then(() => this.#ask(send));
    this.#latest = answer.catch(() => {});
    return answer;
  }

  /** Closes the connection, even if the server does not respond. */
  end(): void {
    this.#lose(outage("The connection to the database has been ended", "CONNECTION_ENDED"));
    this.#sql.end({ timeout: 0 }).catch(() => {});
  }

  async #ask<T>(send: () => PromiseLike<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    try {
      return await inTime(send(), this.#answerMs);
    } catch (error) {
      // Any error other than a failed statement leaves the connection in an unknown state, also that of a COPY's source.
      if ((error as Partial<PostgresError>).severity !== "ERROR") this.end();
      throw error;
    }
  }

  /** Returns whether to prepare the statement, which saves a round trip and planning. */
  #comesAgain(text: string): boolean {
    if (this.#asked.has(text)) return true;
    if (text.length <= longestPrepared && this.#asked.size < mostPrepared) this.#asked.add(text);
    return false;
  }

  #lose(reason: Error): void {
    this.#lost ??= reason;
  }
}

/** Returns session time-outs of the server, so that a session with a dead client releases its locks soon. */
const sessionSettings = (statementMs: number) => ({
  application_name: applicationName,
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: 30_000,
  client_connection_check_interval: 5_000,
  tcp_user_timeout: 20_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
});
