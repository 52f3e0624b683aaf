import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";
import { database } from "./client.ts";
import { migrate } from "./migrate.ts";

const { sql, url } = await createTestDatabase();

test("migrating a database that has the schema changes nothing", async () => {
  const applied = () => sql`select id, hash from drizzle.__drizzle_migrations order by id`;
  const before = await applied();
  await migrate(url);
  expect(await applied()).toEqual(before);
});

test("processes that migrate an empty database at once all succeed, and each migration is applied once", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create database ${name}`);
  const empty = new URL(inject("postgresUrl"));
  empty.pathname = `/${name}`;
  await Promise.all(Array.from({ length: 4 }, () => migrate(empty.href)));
  const there = postgres(empty.href, { max: 1 });
  const applied = (connection: postgres.Sql) =>
    connection`select hash from drizzle.__drizzle_migrations order by id`;
  expect(await applied(there)).toEqual(await applied(sql));
  await there.end();
  await sql.unsafe(`drop database ${name} with (force)`);
});

test("npm run migrate by three processes at once on an empty database: all succeed, the queue's tables too", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create database ${name}`);
  const empty = new URL(inject("postgresUrl"));
  empty.pathname = `/${name}`;
  const run = () =>
    promisify(execFile)(process.execPath, ["scripts/migrate.ts"], {
      env: { ...process.env, DATABASE_URL: empty.href },
    });
  const told = await Promise.all([run(), run(), run()]);
  for (const { stdout } of told) expect(stdout).toBe("The database has the schema of this version.\n");
  const there = postgres(empty.href, { max: 1 });
  const [queues] = await there`select count(*)::int from pgboss.queue where name in ('short', 'long')`;
  expect(queues).toEqual({ count: 2 });
  await there.end();
  await sql.unsafe(`drop database ${name} with (force)`);
});

/** A database as the versions before a migration left it. */
async function databaseBefore(tag: string, run: (url: string, there: postgres.Sql) => Promise<void>) {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create database ${name}`);
  const old = new URL(inject("postgresUrl"));
  old.pathname = `/${name}`;
  const migrationsFolder = mkdtempSync(path.join(inject("runFolder"), "migrations-"));
  cpSync(path.join(import.meta.dirname, "migrations"), migrationsFolder, { recursive: true });
  const journalFile = path.join(migrationsFolder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalFile, "utf8")) as { entries: { tag: string }[] };
  const until = journal.entries.findIndex((entry) => entry.tag === tag);
  const entries = journal.entries.slice(0, until);
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }));
  const there = postgres(old.href, { max: 1, onnotice: () => {} });
  await applyMigrations(drizzle({ client: there }), { migrationsFolder });
  try {
    await run(old.href, there);
  } finally {
    await there.end();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
}

test("addresses with capitals, from before they were refused, become small; where another member has that one, they are told apart", async () => {
  await databaseBefore("0020_held-as-stored", async (url, there) => {
    const members = {
      ...{ a: "Ann@Example.com", b: "ann@example.com", c: "ANN@example.com" },
      ...{ d: "Bo@example.com", e: "BO@example.com", f: "cy@example.com", g: "Di@Example.com" },
    };
    for (const [id, email] of Object.entries(members)) {
      await there`insert into "user" (id, name, email, role) values (${id}, ${id}, ${email}, 'admin')`;
    }
    await migrate(url);
    expect(Object.fromEntries(await there`select id, email from "user" order by id`.values())).toEqual({
      ...{ a: "a+ann@example.com", b: "ann@example.com", c: "c+ann@example.com" },
      ...{ d: "bo@example.com", e: "e+bo@example.com", f: "cy@example.com", g: "di@example.com" },
    });
  });
});

test("the process-wide database is the test file's own", async () => {
  const [row] = await database().execute("select current_database() as name");
  expect(row).toEqual({ name: new URL(url).pathname.slice(1) });
});
