import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { callRates } from "#db/schema/access";
import { createTestDatabase } from "#testing/postgres";
import { countCall, forgetIdle } from "./count-call.ts";

const { db } = await createTestDatabase();

const subjects = async () =>
  (await db.select({ subject: callRates.subject }).from(callRates).orderBy(asc(callRates.subject))).map(
    ({ subject }) => subject,
  );

test("deletes only states whose whole burst is free again", async () => {
  await countCall(db, "busy", { perMinute: 1, burst: 2 });
  await db.insert(callRates).values({ subject: "idle", arrival: Date.now() / 1000 - 1 });
  await forgetIdle(db);
  expect(await subjects()).toEqual(["busy"]);
});

test("allows exactly the burst while idle states are deleted", async () => {
  const rate = { perMinute: 1, burst: 20 };
  const names = ["a", "b", "c"];
  await db.insert(callRates).values(names.map((subject) => ({ subject, arrival: 0 })));
  const [verdicts] = await Promise.all([
    Promise.all(Array.from({ length: 150 }, (_, index) => countCall(db, names[index % 3]!, rate))),
    Promise.all(Array.from({ length: 30 }, () => forgetIdle(db))),
  ]);
  for (const [at] of names.entries()) {
    expect(verdicts.filter(({ allowed }, index) => allowed && index % 3 === at)).toHaveLength(20);
  }
});
