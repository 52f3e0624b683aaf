import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, inject } from "vitest";
import { createDatabase, type DatabaseConnection, type DatabaseOptions } from "#db/client";
import { provideDatabase } from "#lib/platform/database/process-database";
import { closeJobSender } from "#lib/platform/jobs/job-sender";
import { templateDatabase } from "./start-postgres.ts";

/**
 * Creates a separate database with the current schema, and drops it after the file's tests. `database()` returns it in
 * this test file. Call this function at the top level of a `*.db.test.ts` or in a `beforeAll`.
 *
 * @param template `template0` for an empty database without the schema
 */
export async function createTestDatabase(
  options: DatabaseOptions = {},
  template = templateDatabase,
): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asSuperuser(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const connection = createDatabase(url.href, options);
  provideDatabase(connection);
  afterAll(async () => {
    // Its timers would query the dropped database, and log warnings in later test files of this process.
    await closeJobSender(connection);
    await connection.close();
    await asSuperuser(serverUrl, `drop database ${name} with (force)`);
  });
  return { ...connection, url: url.href };
}

export type TestDatabase = DatabaseConnection & { url: string };

async function asSuperuser(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
