import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { database } from "#lib/platform/database/process-database";
import { nodeOptions } from "#server/node-options";
import { createTestDatabase } from "#testing/postgres";
import { recordUnreleasedMigrations } from "#testing/unreleased-migrations";
import { migrate } from "./migrate.ts";

const { sql, url } = await createTestDatabase();

test("a migration changes nothing in a database with the current schema", async () => {
  const applied = () => sql`select id, hash from drizzle.__drizzle_migrations order by id`;
  const before = await applied();
  await migrate(url);
  expect(await applied()).toEqual(before);
});

/** Creates an empty database and drops it after `run`. */
async function withDatabase(run: (url: string, connection: postgres.Sql) => Promise<void>): Promise<void> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create database ${name}`);
  const empty = new URL(inject("postgresUrl"));
  empty.pathname = `/${name}`;
  const connection = postgres(empty.href, { max: 1, onnotice: () => {} });
  try {
    await run(empty.href, connection);
  } finally {
    await connection.end();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
}

const runMigrate = (databaseUrl: string, more: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [...nodeOptions, "scripts/migrate.ts"], {
    env: { ...process.env, DATABASE_URL: databaseUrl, ...more },
  });

test("concurrent migrations of an empty database all succeed and apply each migration once", async () => {
  await withDatabase(async (empty, connection) => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(empty)));
    const applied = (connection: postgres.Sql) =>
      connection`select hash from drizzle.__drizzle_migrations order by id`;
    expect(await applied(connection)).toEqual(await applied(sql));
  });
});

test("three concurrent `npm run migrate` of an empty database succeed and create the job queues", async () => {
  await withDatabase(async (empty, connection) => {
    const results = await Promise.all(Array.from({ length: 3 }, () => runMigrate(empty)));
    for (const { stdout } of results) expect(stdout).toBe("The database has the schema of this version.\n");
    const [queues] = await connection`select count(*)::int from pgboss.queue where name in ('short', 'long')`;
    expect(queues).toEqual({ count: 2 });
  });
});

test("npm run migrate creates the admin of ADMIN_EMAIL once, for processes without a supervisor", async () => {
  await withDatabase(async (empty, connection) => {
    const users = () => connection`select email, role from "user"`;
    await runMigrate(empty);
    expect(await users()).toEqual([]);
    const first = { ADMIN_EMAIL: "first@example.com", ADMIN_PASSWORD: "correct horse battery" };
    const results = await Promise.all([runMigrate(empty, first), runMigrate(empty, first)]);
    const lines = results.flatMap(({ stdout }) => stdout.split("\n"));
    expect(lines.filter((line) => line === "created the admin first@example.com")).toHaveLength(1);
    await runMigrate(empty, { ...first, ADMIN_EMAIL: "second@example.com" });
    expect(await users()).toEqual([{ email: "first@example.com", role: "admin" }]);
  });
});

test("npm run migrate rejects a database from before the first release and leaves it unchanged", async () => {
  await withDatabase(async (old, connection) => {
    await migrate(old);
    await recordUnreleasedMigrations(connection);
    const applied = () => connection`select * from drizzle.__drizzle_migrations order by id`;
    const before = await applied();
    await expect(runMigrate(old)).rejects.toMatchObject({
      code: 1,
      stderr:
        "The database was created by a version from before the first release and cannot be upgraded. Start that version, or use a new DATA_DIR or an empty database.\n",
    });
    expect(await applied()).toEqual(before);
  });
});

test("a migration that fails rejects with PostgreSQL's message and leaves no table", async () => {
  await withDatabase(async (other, connection) => {
    await connection`create table scenarios ()`;
    await expect(migrate(other)).rejects.toThrow(/^relation "scenarios" already exists$/);
    const tables =
      await connection`select table_name from information_schema.tables where table_schema = 'public'`;
    expect(tables.map((table) => table.table_name)).toEqual(["scenarios"]);
  });
});

test("`database()` returns the database of the test file", async () => {
  const [row] = await database().execute("select current_database() as name");
  expect(row).toEqual({ name: new URL(url).pathname.slice(1) });
});
