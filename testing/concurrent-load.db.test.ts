import { expect, it } from "vitest";
import { countDeadlocks } from "./concurrent-load.ts";
import { createTestDatabase } from "./postgres.ts";

const test = await createTestDatabase({ max: 3 });

it("counts one deadlock if two transactions lock the same two rows in opposite order", async () => {
  const { sql } = test;
  await sql`create table places (id int primary key)`;
  await sql`insert into places values (1), (2)`;
  const bothLocked = Promise.withResolvers<void>();
  let waiting = 0;
  const lockBoth = (first: number, second: number) =>
    sql.begin(async (tx) => {
      await tx`select from places where id = ${first} for update`;
      if (++waiting === 2) bothLocked.resolve();
      await bothLocked.promise;
      await tx`select from places where id = ${second} for update`;
    });
  const ends = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await countDeadlocks(test)).toBe(1);
});
