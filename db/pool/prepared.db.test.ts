import { sql as raw } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/postgres";

const { db, sql } = await createTestDatabase({ max: 1 });

const readValue = (id: number) =>
  db.execute<{ value: unknown }>(raw`select value from things where id = ${id}`);
const prepared = async () => {
  const [counted] = await db.execute<{ count: number }>(
    raw`select count(*)::int as count from pg_prepared_statements`,
  );
  return counted!.count;
};

test("prepares a repeated statement, which still works after a change of its table", async () => {
  await sql`create table things (id int primary key, value int)`;
  await sql`insert into things values (1, 7)`;
  const before = await prepared();
  for (let times = 0; times < 10; times++) expect(await readValue(1)).toMatchObject([{ value: 7 }]);
  expect(await prepared()).toBe(before + 1);
  await sql`alter table things alter value type text using value || ' days'`;
  expect(await readValue(1)).toMatchObject([{ value: "7 days" }]);
  await sql`alter table things add more int, drop value, add value boolean default true`;
  expect(await readValue(1)).toMatchObject([{ value: true }]);
});

test("within a transaction, a prepared statement fails once after a type change of its table, then works", async () => {
  await readValue(1);
  await sql`alter table things alter value type text using 'words'`;
  const within = db.transaction((tx) => tx.execute(raw`select value from things where id = ${1}`));
  // The driver prepares it again, except in a failed transaction.
  await expect(within).rejects.toMatchObject({ cause: { code: "0A000" } });
  expect(await readValue(1)).toMatchObject([{ value: "words" }]);
});

test("keeps a limited number of prepared statements", async () => {
  for (let text = 0; text < 300; text++)
    for (const value of [1, 2]) await db.execute(raw`select ${value}::int as ${raw.identifier(`c${text}`)}`);
  expect(await prepared()).toBeGreaterThan(50);
  expect(await prepared()).toBeLessThanOrEqual(200);
});
