import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeEach, describe, expect, inject, it, onTestFinished, test } from "vitest";
import { addKeyUses } from "#lib/domain/api-keys/count-uses";
import { LocalStore } from "#lib/platform/storage/local-store";
import { S3Store } from "#lib/platform/storage/s3-store";
import { store } from "#lib/platform/storage/store";
import { nodeOptions } from "#server/node-options";
import { createUser } from "#testing/api";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { createDataFolder } from "#testing/run-folder";
import { startS3Server } from "#testing/s3-server";
import { templateDatabase } from "#testing/start-postgres";
import { checkStoredFiles } from "#testing/stored-files";
import { recordUnreleasedMigrations } from "#testing/unreleased-migrations";
import { backUp } from "./back-up.ts";
import { artifactsFolder, contentsFile, readContents, tableFile } from "./backup-folder.ts";
import { restore } from "./restore.ts";
import { readTables } from "./tables.ts";

const { db, sql } = await createTestDatabase();
let temporary: string;

await createUser();
const upstream = await createPopulatedProject({ name: "Weather" });
const project = await createPopulatedProject({
  name: 'Quotes " and \\ tabs\tand\nlines',
  upstream: [upstream],
});
await addKeyUses(db); // Else they come while a test compares what is there.
beforeEach(() => {
  temporary = createDataFolder("backup-");
});
afterEach(() => rmSync(temporary, { recursive: true }));

const opened: { sql: Sql; name: string }[] = [];
afterAll(async () => {
  for (const { sql: connection, name } of opened) {
    await connection.end();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
});

/** An empty service: a migrated database and a store. */
async function emptyService(): Promise<{ sql: Sql; url: string; store: LocalStore }> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await sql.unsafe(`create database ${name} template ${templateDatabase}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  const connection = postgres(url.href, { max: 2, onnotice: () => {} });
  opened.push({ sql: connection, name });
  return { sql: connection, url: url.href, store: new LocalStore(path.join(temporary, name)) };
}

/** Every row of every table, in any order. */
async function digests(connection: Sql): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of await readTables(connection)) {
    const [row] = await connection<{ digest: string }[]>`
      select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
      from ${connection(name)} t`;
    found[name] = row!.digest;
  }
  return found;
}

test("reads tables of every size to the end, even if the last rows fill the driver's buffer", async () => {
  for (const kilobytes of [20, 70, 90, 130, 200]) {
    await sql`insert into call_rates (subject, arrival) select repeat(md5(n::text), 32), 0
      from generate_series(1, ${kilobytes}::int) n on conflict do nothing`;
    await backUp(sql, store(), path.join(temporary, String(kilobytes)));
  }
  await sql`delete from call_rates where length(subject) = 1024`;
});

test("ends with the reason if a table cannot be written", async () => {
  await sql`insert into call_rates (subject, arrival) select repeat(md5(n::text), 32), 0
    from generate_series(1, 2000) n on conflict do nothing`;
  onTestFinished(async () => void (await sql`delete from call_rates where length(subject) = 1024`));
  const folder = path.join(temporary, "backup");
  const blockTable = () => mkdirSync(tableFile(folder, "call_rates"), { recursive: true });
  await expect(backUp(sql, store(), folder, blockTable)).rejects.toThrow("EEXIST");
  await expect(backUp(sql, store(), folder)).rejects.toThrow("is not empty");
});

test("a backup restored from a folder to S3 is the same service, byte for byte", async () => {
  const folder = path.join(temporary, "backup");
  const done = await backUp(sql, store(), folder);
  expect(done.artifacts).toBeGreaterThan(8);
  const s3 = await startS3Server();
  onTestFinished(s3.stop);
  const place = { bucket: s3.bucket, endpoint: s3.endpoint, prefix: "two/deep/", region: "us-east-1" };
  const there = { ...(await emptyService()), store: new S3Store(place) };
  await restore(there.sql, there.store, folder);
  expect(await digests(there.sql)).toEqual(await digests(sql));
  await checkStoredFiles(there.sql, there.store);
  for (const key of await there.store.listFolders("")) {
    expect((await there.store.readManifest(key)).files).toEqual((await store().readManifest(key)).files);
  }
  // And so is what is backed up there.
  const another = path.join(temporary, "another");
  expect(await backUp(there.sql, there.store, another)).toEqual(done);
  expect((await readContents(another)).tables).toEqual((await readContents(folder)).tables);
  const copies = [folder, another].map((one) => new LocalStore(artifactsFolder(one)));
  for (const key of await copies[0]!.listFolders("")) {
    expect(await copies[1]!.readManifest(key)).toEqual(await copies[0]!.readManifest(key));
  }
  // Its rules hold again: foreign keys, and what only a trigger forbids.
  const rules = (connection: Sql) =>
    connection`select conname, pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace = 'public'::regnamespace order by conname`;
  expect(await rules(there.sql)).toEqual(await rules(sql));
  const revive = there.sql`update jobs set status = 'Pending' where status = 'Completed'`;
  await expect(revive).rejects.toThrow();
  const [next] =
    await there.sql`select nextval(pg_get_serial_sequence('outbox_events', 'sequence')) as value`;
  const [last] = await there.sql`select max(sequence) as value from outbox_events`;
  expect(Number(next!.value)).toBe(Number(last!.value) + 1);
}, 60_000); // Saves and restores a whole service twice.

test("replaces the rows that rejected calls and deleted projects leave in an empty service", async () => {
  const folder = path.join(temporary, "backup");
  const subject = "failures:192.0.2.1";
  await sql`insert into call_rates (subject, arrival) values (${subject}, 1)`;
  await backUp(sql, store(), folder);
  const there = await emptyService();
  const [event] = await sql`select * from outbox_events order by sequence limit 1`;
  await there.sql`insert into outbox_events ${sql(event!)}`;
  await there.sql`update outbox_events set sequence = ${event!.sequence}`;
  await there.sql`insert into call_rates (subject, arrival) values (${subject}, 2), ('failures:192.0.2.2', 2)`;
  await there.sql`insert into connection_ends (user_name, due_at) values ('project-1', now())`;
  await restore(there.sql, there.store, folder);
  expect(await digests(there.sql)).toEqual(await digests(sql));
  await sql`delete from call_rates where subject = ${subject}`;
}, 60_000);

test("ends a restore whose rows PostgreSQL rejects, and leaves an empty service", async () => {
  const folder = path.join(temporary, "backup");
  await backUp(sql, store(), folder);
  const there = await emptyService();
  const before = await digests(there.sql);
  await there.sql`create unique index on audit_log (entity_type)`;
  await expect(restore(there.sql, there.store, folder)).rejects.toThrow("duplicate key");
  expect(await digests(there.sql)).toEqual(before);
});

test("rejects a restore into a service that has users or projects", async () => {
  const folder = path.join(temporary, "backup");
  await backUp(sql, store(), folder);
  const before = await digests(sql);
  await expect(restore(sql, store(), folder)).rejects.toThrow("users or projects already");
  expect(await digests(sql)).toEqual(before);
  await expect(backUp(sql, store(), folder)).rejects.toThrow("is not empty");
});

test("rejects a damaged backup with the reason, and leaves the service empty", async () => {
  const whole = path.join(temporary, "whole");
  await backUp(sql, store(), whole);
  const there = await emptyService();
  const empty = await digests(there.sql);
  const spoilt: [reason: string, spoil: (folder: string) => void][] = [
    ["its SHA-256 differs", (folder) => appendFileSync(tableFile(folder, "projects"), "x\n")],
    ["it is not a backup", (folder) => rmSync(contentsFile(folder))],
    ["does not have the format of this version", (folder) => writeFileSync(contentsFile(folder), "{}")],
    ["lacks the artifact", (folder) => rmSync(path.join(folder, "artifacts"), { recursive: true })],
    [
      "by a version with another schema",
      (folder) => rewrite(contentsFile(folder), /"migration": "../, '"migration": "zz'),
    ],
  ];
  for (const [reason, spoil] of spoilt) {
    const folder = mkdtempSync(path.join(temporary, "spoilt-"));
    cpSync(whole, folder, { recursive: true });
    spoil(folder);
    await expect(restore(there.sql, there.store, folder)).rejects.toThrow(reason);
    expect(await digests(there.sql)).toEqual(empty);
  }
});

describe("from before the first release", () => {
  it("rejects a backup and leaves the service empty", async () => {
    const old = await emptyService();
    await recordUnreleasedMigrations(old.sql);
    const folder = path.join(temporary, "old");
    await backUp(old.sql, old.store, folder);
    const there = await emptyService();
    const empty = await digests(there.sql);
    await expect(restore(there.sql, there.store, folder)).rejects.toThrow(
      "The backup was made by a version with another schema, so this version cannot restore it. Restore it with the version that made it.",
    );
    expect(await digests(there.sql)).toEqual(empty);
    expect(await there.store.listFolders("")).toEqual([]);
  });

  it("rejects a database and leaves it unchanged", async () => {
    const folder = path.join(temporary, "backup");
    await backUp(sql, store(), folder);
    const old = await emptyService();
    await recordUnreleasedMigrations(old.sql);
    const before = await digests(old.sql);
    const artifacts = path.join(temporary, "artifacts");
    const command = [...nodeOptions, "scripts/restore.ts", "--from", folder];
    const restoring = promisify(execFile)(process.execPath, command, {
      env: { ...process.env, DATABASE_URL: old.url, STORAGE_URL: `file:${artifacts}` },
    });
    await expect(restoring).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/before the first release.*cannot be upgraded.*Start that version/),
    });
    expect(await digests(old.sql)).toEqual(before);
    expect(existsSync(artifacts)).toBe(false);
    // Backs up a service, creates another one and starts a process, which took 31 s on a busy machine.
  }, 90_000);
});

function rewrite(file: string, what: RegExp, by: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(what, by));
}

test("fails without a backup if an artifact is deleted during the backup", async () => {
  const folder = path.join(temporary, "backup");
  const key = `projects/${project.projectId}/models/${project.modelId}`;
  const aside = new LocalStore(path.join(temporary, "aside"));
  const [model] = await sql`select artifact_key from models where id = ${project.modelId}`;
  expect(model!.artifact_key).toBe(key);
  const manifest = await store().readManifest(key);
  const files = await Promise.all(
    Object.keys(manifest.files).map(async (name) => [name, await store().readFile(key, name)] as const),
  );
  await aside.writeFolder(key, new Map(files));
  await store().deleteFolder(key);
  await expect(backUp(sql, store(), folder)).rejects.toThrow("was deleted while the backup ran");
  await expect(restore(sql, store(), folder)).rejects.toThrow("it is not a backup");
  await store().writeFolder(key, new Map(files));
});
