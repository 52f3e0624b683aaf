import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import postgres, { type PostgresError, type Sql } from "postgres";
import { inTime, outage } from "./in-time.ts";

export type Statement = {
  text: string;
  params?: unknown[];
  /** Rows as arrays of their values instead of objects. */
  arrays?: boolean;
};

/** Rows, and what PostgreSQL says that it has done ("SELECT", "COMMIT"). */
export type Rows = unknown[] & { command: string };

export type ConnectionOptions = {
  url: string;
  /** How long the server may work at a statement, waits for locks included, before it gives it up. */
  statementMs: number;
  /** How texts of each type are read and written, by the type's number. */
  types?: { parsers: object; serializers: object };
  /** Told of every notification on a channel that this connection listens to. */
  onNotify?: () => void;
};

/** What the server calls each of these connections: for none of them does anybody wait without an end. */
export const applicationName = "model-prediction-service";

const connectMs = 5_000;

/** Of texts that a connection keeps prepared, so that they hold little of the server's memory; a longer one is a batch. */
const mostPrepared = 200;
const longestPrepared = 4_000;

/** The server answers earlier than that of its own accord: who waits longer waits for nobody. */
const answerMs = (statementMs: number) => 1.25 * statementMs;

/**
 * One connection, made for its first statement, and never made again: once it is lost, or has not answered in time,
 * each further statement fails. So nothing that began in a transaction can go on outside of it.
 *
 * Of postgres.js it uses a client of one connection, because in its pool a statement may wait behind another that is
 * never answered, and one of a lost transaction may get onto a connection of somebody else.
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
      // Nobody would hear of it where the connection is lost while the driver asks for them: the process would end.
      fetch_types: false,
      keep_alive: 10,
      connection: sessionSettings(statementMs),
      onnotice: () => {},
      onclose: () => this.#lose(outage("The connection to the database was lost", "CONNECTION_CLOSED")),
      onnotify: onNotify,
    };
    this.#sql = postgres(url, options as postgres.Options<Record<string, never>>);
    Object.assign(this.#sql.options.parsers, types?.parsers);
    Object.assign(this.#sql.options.serializers, types?.serializers);
  }

  /** Whether it can be of no more use. */
  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** Sends statements one after the other. */
  query(statement: Statement): Promise<Rows> {
    const answer = this.#latest.then(() => this.#ask(statement));
    this.#latest = answer.catch(() => {});
    return answer;
  }

  /** Sends a `COPY … FROM STDIN` with what it reads; the time counts for all of it. */
  copyIn(text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const done = this.#latest.then(() => this.#copy(text, source));
    this.#latest = done.catch(() => {});
    return done;
  }

  /** Ends it, whether it answers or not. */
  end(): void {
    this.#lose(outage("The connection to the database has been ended", "CONNECTION_ENDED"));
    this.#sql.end({ timeout: 0 }).catch(() => {});
  }

  async #ask({ text, params = [], arrays = false }: Statement): Promise<Rows> {
    if (this.#lost) throw this.#lost;
    const query = this.#sql.unsafe(text, params as never[], { prepare: this.#comesAgain(text) });
    try {
      return (await inTime(arrays ? query.values() : query, this.#answerMs)) as unknown as Rows;
    } catch (error) {
      // Whatever is no refusal of this one statement leaves the connection in a state that nobody knows.
      if ((error as Partial<PostgresError>).severity !== "ERROR") this.end();
      throw error;
    }
  }

  /** Whether to prepare it: then the server is asked once instead of twice, and plans it no more. */
  #comesAgain(text: string): boolean {
    if (this.#asked.has(text)) return true;
    if (text.length <= longestPrepared && this.#asked.size < mostPrepared) this.#asked.add(text);
    return false;
  }

  async #copy(text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#lost) throw this.#lost;
    const query = this.#sql.unsafe(text);
    // The driver tells what the server refuses to the stream while it is written, and to the query, of which nobody hears
    // any more, once it has ended.
    const refused = Promise.withResolvers<never>();
    refused.promise.catch(() => {});
    try {
      const stream = endingSilently(await inTime(query.writable(), this.#answerMs));
      Object.assign(query, { reject: refused.reject });
      await inTime(Promise.race([pipeline(source, stream), refused.promise]), this.#answerMs);
    } catch (error) {
      // Also where the source has failed: the server is told so, but in which state that leaves it nobody knows.
      if ((error as Partial<PostgresError>).severity !== "ERROR") this.end();
      throw error;
    }
  }

  #lose(reason: Error): void {
    this.#lost ??= reason;
  }
}

/**
 * The driver tells the server of a failure also after a COPY that is whole. It is past by then, so that the server goes on
 * waiting for a statement, but it does not look any more for how long, nor then lets go of the transaction's locks.
 */
function endingSilently(stream: Writable): Writable {
  const fail = stream._destroy.bind(stream);
  stream._destroy = (error, done) => (error === null ? done() : fail(error, done));
  return stream;
}

/** What the server does by itself for a session whose other side may have gone, so that none holds its locks for long. */
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
