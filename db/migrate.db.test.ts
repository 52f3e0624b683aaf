import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
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

test("the process-wide database is the test file's own", async () => {
  const [row] = await database().execute("select current_database() as name");
  expect(row).toEqual({ name: new URL(url).pathname.slice(1) });
});
