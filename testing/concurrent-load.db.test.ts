import { expect, it } from "vitest";
import { countDeadlocks } from "./concurrent-load.ts";
import { createTestDatabase } from "./postgres.ts";

const test = await createTestDatabase({ max: 3 });

it("a deadlock is counted, whoever of the two was ended", async () => {
  const { sql } = test;
  await sql`create table places (id int primary key)`;
  await sql`insert into places values (1), (2)`;
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const lockBoth = (first: number, second: number) =>
    sql.begin(async (tx) => {
      await tx`select from places where id = ${first} for update`;
      if (++waiting === 2) both.resolve();
      await both.promise;
      await tx`select from places where id = ${second} for update`;
    });
  const ends = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await countDeadlocks(test)).toBe(1);
});
