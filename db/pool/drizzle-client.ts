import type { Sql } from "postgres";
import type { ConnectionPool } from "./connection-pool.ts";
import type { PooledConnection, Rows, Statement } from "./pooled-connection.ts";

/** A client within a transaction that takes a COPY, which Drizzle does not use. */
export type CopyingClient = { copyIn(text: string, source: AsyncIterable<Uint8Array>): Promise<void> };

type Ask = (statement: Statement) => Promise<Rows>;

/**
 * Returns the part of a postgres.js client that Drizzle uses, on connections of the pool. Drizzle fills in `options`.
 */
export function drizzleClient(pool: ConnectionPool, options: { parsers: object; serializers: object }): Sql {
  const client = {
    options,
    unsafe: unsafeBy((statement) => pool.use((connection) => connection.query(statement))),
    begin: <T>(work: (client: unknown) => Promise<T>) => pool.use((connection) => transact(connection, work)),
  };
  return client as unknown as Sql;
}

/** Sends the query when it is awaited, like postgres.js, so that `values()` can still select the row format. */
const unsafeBy = (ask: Ask) => (text: string, params?: unknown[]) => {
  const statement = { text, ...(params ? { params } : {}) };
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is awaited.
    then: (...settle: Parameters<Promise<Rows>["then"]>) => ask(statement).then(...settle),
    values: () => ask({ ...statement, arrays: true }),
  };
};

async function transact<T>(connection: PooledConnection, work: (client: unknown) => Promise<T>): Promise<T> {
  let isOver = false;
  let failed: { error: unknown } | null = null;
  const within = async <R>(run: () => Promise<R>): Promise<R> => {
    // Of several concurrent statements, one may continue after another failed. It must not write outside the
    // transaction.
    if (isOver) throw new Error("The transaction is over");
    try {
      return await run();
    } catch (error) {
      failed ??= { error };
      throw error;
    }
  };
  const ask: Ask = (statement) => within(() => connection.query(statement));
  const copyIn: CopyingClient["copyIn"] = (text, source) => within(() => connection.copyIn(text, source));
  await connection.query({ text: "begin" });
  let result: T;
  try {
    result = await work(clientWithin(ask, copyIn));
  } catch (error) {
    isOver = true;
    await takeBack(connection.query({ text: "rollback" }));
    throw error;
  }
  isOver = true;
  const { command } = await connection.query({ text: "commit" });
  // A statement failed, and the callback ignored its error.
  if (command === "ROLLBACK") throw (failed as { error: unknown } | null)?.error ?? new Error("Rolled back");
  return result;
}

function clientWithin(ask: Ask, copyIn: CopyingClient["copyIn"]) {
  return {
    copyIn,
    unsafe: unsafeBy(ask),
    async savepoint<T>(work: (client: unknown) => Promise<T>): Promise<T> {
      await ask({ text: "savepoint inner_work" });
      let result: T;
      try {
        result = await work(clientWithin(ask, copyIn));
      } catch (error) {
        await takeBack(ask({ text: "rollback to inner_work; release inner_work" }));
        throw error;
      }
      await ask({ text: "release inner_work" });
      return result;
    },
  };
}

/** Rolls back to the savepoint. If this fails too, the connection is lost, and the whole transaction is rolled back. */
async function takeBack(answer: Promise<unknown>): Promise<void> {
  await answer.catch(() => {});
}
