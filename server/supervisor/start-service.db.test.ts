import { execFile } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "#db/migrate";
import { createDataFolder } from "#testing/run-folder";
import { recordUnreleasedMigrations } from "#testing/unreleased-migrations";
import { nodeOptions } from "../node-options.ts";
import { freePort } from "../postgres/free-port.ts";
import { startPostgres } from "../postgres/start-postgres.ts";

/** Starts the database of an unused data folder and passes `run` a connection. */
async function withDatabaseOf<T>(dataDir: string, run: (sql: Sql, url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres({ dataDir, durable: false });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  try {
    return await run(sql, server.url);
  } finally {
    await sql.end();
    await server.stop();
  }
}

const tablesAndRows = (sql: Sql) => sql`
  select table_schema, table_name,
    query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as rows
  from information_schema.tables where table_schema in ('public', 'drizzle', 'pgboss') order by 1, 2`;

test("a start rejects a data folder from before the first release and changes no row", async () => {
  const folder = createDataFolder("start-service-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const before = await withDatabaseOf(dataDir, async (sql, url) => {
    await migrate(url);
    await recordUnreleasedMigrations(sql);
    await sql`insert into "user" (id, name, email, role) values ('a', 'Ann', 'ann@example.com', 'admin')`;
    return tablesAndRows(sql);
  });
  const starting = promisify(execFile)(process.execPath, [...nodeOptions, "scripts/start.ts", "--dev"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()) },
  });
  await expect(starting).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database was created by .* before the first release .* Start that version, .*\n$/,
    ),
  });
  expect(await withDatabaseOf(dataDir, tablesAndRows)).toEqual(before);
});
