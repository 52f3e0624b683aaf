import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { ConnectionPool, type PoolLoad } from "./pool/connection-pool.ts";
import { drizzleClient } from "./pool/drizzle-client.ts";
import * as access from "./schema/access.ts";
import * as artifacts from "./schema/artifacts.ts";
import * as checkpoints from "./schema/checkpoints.ts";
import * as datasets from "./schema/datasets.ts";
import * as jobs from "./schema/jobs.ts";
import * as mails from "./schema/mails.ts";
import * as models from "./schema/models.ts";
import * as projects from "./schema/projects.ts";
import * as scenarios from "./schema/scenarios.ts";
import * as users from "./schema/users.ts";
import * as webhooks from "./schema/webhooks.ts";

const schema = {
  ...access,
  ...artifacts,
  ...checkpoints,
  ...datasets,
  ...jobs,
  ...mails,
  ...models,
  ...projects,
  ...scenarios,
  ...users,
  ...webhooks,
};

export type Database = PostgresJsDatabase<typeof schema>;

/** Argument of the callback of `database.transaction`. Queries accept it in place of a database. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** Argument of functions that run inside and outside of transactions. */
export type Queryable = Database | Transaction;

export type DatabaseConnection = {
  /** Pool whose queries succeed or fail in bounded time, even if connections hang. */
  db: Database;
  /** Pool of the driver for commands and tests: COPY and raw queries, without time limits. Times are text. */
  sql: Sql;
  /** URL for separate connections to the same database. */
  url: string;
  /** Returns the current load of the pool of `db`. */
  load(): PoolLoad;
  /** Waits for running queries, at most five seconds. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Maximum number of connections, each opened when first needed. */
  max?: number;
  /** Statement time-out of the server. The default is the time that a user waits for a page. */
  statementMs?: number;
  /** Time that a caller waits for a connection. The default is shorter than a browser's time-out. */
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
