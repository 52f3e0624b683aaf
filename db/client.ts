import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { databaseUrl } from "#lib/config/database-url";
import { countLoad, type PoolLoad } from "./pool-load.ts";
import * as access from "./schema/access.ts";
import * as checkpoints from "./schema/checkpoints.ts";
import * as datasets from "./schema/datasets.ts";
import * as jobs from "./schema/jobs.ts";
import * as models from "./schema/models.ts";
import * as projects from "./schema/projects.ts";
import * as scenarios from "./schema/scenarios.ts";
import * as users from "./schema/users.ts";

const schema = {
  ...access,
  ...checkpoints,
  ...datasets,
  ...jobs,
  ...models,
  ...projects,
  ...scenarios,
  ...users,
};

export type Database = PostgresJsDatabase<typeof schema>;

/** What `database.transaction` hands to its callback; queries take either. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

export type DatabaseConnection = {
  db: Database;
  /** The pool beneath `db`, for COPY, LISTEN and raw queries; Drizzle makes it give times as text. */
  sql: Sql;
  /** For connections of one's own to the same database. */
  url: string;
  /** How busy the pool is just now. */
  load(): PoolLoad;
  /** Waits for running queries, at most five seconds. */
  close(): Promise<void>;
};

/** Opens a pool of at most `max` connections, each made when it is first needed. */
export function createDatabase(url: string, options: { max?: number } = {}): DatabaseConnection {
  const sql = postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 10,
    onnotice: () => {},
  });
  const { counted, load } = countLoad(sql);
  return { db: drizzle({ client: counted, schema }), sql, url, load, close: () => sql.end({ timeout: 5 }) };
}

const shared = globalThis as typeof globalThis & { databaseOfProcess?: DatabaseConnection };

/** This process's pool, opened when first asked for. The web process holds two copies of this module, hence `globalThis`. */
export function databaseConnection(): DatabaseConnection {
  shared.databaseOfProcess ??= createDatabase(databaseUrl());
  return shared.databaseOfProcess;
}

/** This process's database. */
export function database(): Database {
  return databaseConnection().db;
}

/** Makes `database()` answer with this connection from now on: for tests and for commands with a pool of their own. */
export function provideDatabase(connection: DatabaseConnection): void {
  shared.databaseOfProcess = connection;
}

/** Closes this process's pool where one was opened. */
export async function closeDatabase(): Promise<void> {
  const open = shared.databaseOfProcess;
  delete shared.databaseOfProcess;
  await open?.close();
}
