import { createDatabase, type Database, type DatabaseConnection } from "#db/client";
import { databaseUrl } from "./database-url.ts";

const shared = globalThis as typeof globalThis & { databaseOfProcess?: DatabaseConnection };

/**
 * Returns this process's pool and opens it at the first call. Uses `globalThis`, because the web process loads this
 * module twice.
 */
export function databaseConnection(): DatabaseConnection {
  shared.databaseOfProcess ??= createDatabase(databaseUrl());
  return shared.databaseOfProcess;
}

/** This process's database. */
export function database(): Database {
  return databaseConnection().db;
}

/** Makes `database()` use this connection: for tests and for commands with their own pool. */
export function provideDatabase(connection: DatabaseConnection): void {
  shared.databaseOfProcess = connection;
}

/** Closes this process's pool, if open. */
export async function closeDatabase(): Promise<void> {
  const open = shared.databaseOfProcess;
  delete shared.databaseOfProcess;
  await open?.close();
}
