import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { databaseUrl } from "#lib/platform/database/database-url";
import { ConnectionPool, type PoolLoad } from "./pool/connection-pool.ts";
import { drizzleClient } from "./pool/drizzle-client.ts";
import * as access from "./schema/access.ts";
import * as artifacts from "./schema/artifacts.ts";
import * as checkpoints from "./schema/checkpoints.ts";
import * as datasets from "./schema/datasets.ts";
import * as jobs from "./schema/jobs.ts";
import * as models from "./schema/models.ts";
import * as projects from "./schema/projects.ts";
import * as scenarios from "./schema/scenarios.ts";
import * as users from "./schema/users.ts";

const schema = {
  ...access,
  ...artifacts,
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
  /** Each query is answered or fails in bounded time, whatever happens to the connections. */
  db: Database;
  /** A pool of the driver's own, for commands and tests: COPY and raw queries, without those bounds; times are text. */
  sql: Sql;
  /** For connections of one's own to the same database. */
  url: string;
  /** How busy the pool of `db` is just now. */
  load(): PoolLoad;
  /** Waits for running queries, at most five seconds. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Connections at a time, each made when it is first needed. */
  max?: number;
  /** How long the server may work at one statement. The default is as long as somebody waits for a page. */
  statementMs?: number;
  /** How long a caller waits for a connection. By default it gives up before a browser would. */
  waitMs?: number;
};

/** Opens a pool (docs/decisions/0086-database-outages.md). */
export function createDatabase(
  url: string,
  { max = 10, statementMs = 8_000, waitMs = 10_000 }: DatabaseOptions = {},
): DatabaseConnection {
  const types = { parsers: {}, serializers: {} };
  const pool = new ConnectionPool({ max, waitMs }, { url, statementMs, types });
  const db = drizzle({ client: drizzleClient(pool, types), schema });
  const sql = postgres(url, { max, connect_timeout: 10, onnotice: () => {} });
  Object.assign(sql.options.parsers, types.parsers);
  Object.assign(sql.options.serializers, types.serializers);
  const close = async () => {
    await Promise.all([pool.close(5_000), sql.end({ timeout: 5 })]);
  };
  return { db, sql, url, load: () => pool.load, close };
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
