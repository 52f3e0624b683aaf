import { sql as raw } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";

const { db, sql } = await createTestDatabase({ max: 1 });

const known = (id: number) => db.execute<{ value: unknown }>(raw`select value from things where id = ${id}`);
const prepared = async () => {
  const [counted] = await db.execute<{ count: number }>(
    raw`select count(*)::int as count from pg_prepared_statements`,
  );
  return counted!.count;
};

test("a statement that comes again is prepared, and answers also once its table has changed", async () => {
  await sql`create table things (id int primary key, value int)`;
  await sql`insert into things values (1, 7)`;
  const before = await prepared();
  for (let times = 0; times < 10; times++) expect(await known(1)).toMatchObject([{ value: 7 }]);
  expect(await prepared()).toBe(before + 1);
  await sql`alter table things alter value type text using value || ' days'`;
  expect(await known(1)).toMatchObject([{ value: "7 days" }]);
  await sql`alter table things add more int, drop value, add value boolean default true`;
  expect(await known(1)).toMatchObject([{ value: true }]);
});

test("within a transaction it fails once its table's types have changed, and then answers again", async () => {
  await known(1);
  await sql`alter table things alter value type text using 'words'`;
  const within = db.transaction((tx) => tx.execute(raw`select value from things where id = ${1}`));
  // The driver prepares it anew where it may, which is not within a transaction that has failed.
  await expect(within).rejects.toMatchObject({ cause: { code: "0A000" } });
  expect(await known(1)).toMatchObject([{ value: "words" }]);
});

test("of ever new statements only so many are kept", async () => {
  for (let text = 0; text < 300; text++)
    for (const value of [1, 2]) await db.execute(raw`select ${value}::int as ${raw.identifier(`c${text}`)}`);
  expect(await prepared()).toBeGreaterThan(50);
  expect(await prepared()).toBeLessThanOrEqual(200);
});
