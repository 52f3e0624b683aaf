import { createDatabase, type Database, type DatabaseConnection } from "#db/client";
import { perProcess } from "#lib/platform/process/per-process";
import { databaseUrl } from "./database-url.ts";

const pool = perProcess("poolOfProcess", (): { connection?: DatabaseConnection | undefined } => ({}));

/** Returns this process's pool and opens it at the first call. */
export function databaseConnection(): DatabaseConnection {
  const shared = pool();
  shared.connection ??= createDatabase(databaseUrl());
  return shared.connection;
}

/** This process's database. */
export function database(): Database {
  return databaseConnection().db;
}

/** Makes `database()` use this connection: for tests and for commands with their own pool. */
export function provideDatabase(connection: DatabaseConnection): void {
  pool().connection = connection;
}

/** Closes this process's pool, if open. */
export async function closeDatabase(): Promise<void> {
  const open = pool().connection;
  pool().connection = undefined;
  await open?.close();
}
