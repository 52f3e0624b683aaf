import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createDatabase, type Database } from "#db/client";
import { newId } from "#lib/platform/ids/new-id";
import { createTestDatabase } from "#testing/postgres";
import { takeCalls } from "./count-call.ts";
import { countLeasedCall } from "./leased-calls.ts";
import { cost, type Rate, type Verdict } from "./rate.ts";

// "never exceeded across all processes (state in Postgres, GCRA)"; "exactly `RATE_LIMIT_BURST` requests pass at once".

const { db, url } = await createTestDatabase();

const allowed = (verdicts: Verdict[]) => verdicts.filter((verdict) => verdict.allowed).length;

test("three processes together allow exactly the burst, for every limit", async () => {
  const connections = Array.from({ length: 3 }, () => createDatabase(url, { max: 2 }));
  const bursts = fc.record({
    perMinute: fc.constantFrom(1, 60, 600),
    burst: fc.integer({ min: 1, max: 150 }),
  });
  try {
    await fc.assert(
      fc.asyncProperty(bursts, fc.integer({ min: 0, max: 200 }), async (rate, more) => {
        const name = newId();
        const verdicts = await Promise.all(
          Array.from({ length: rate.burst + more }, (_, index) =>
            countLeasedCall(connections[index % 3]!.db, name, rate),
          ),
        );
        // Calls that the rate adds while a slow machine runs the burst.
        const spare = rate.perMinute === 600 ? rate.burst : 1;
        // Of more than a hundred calls, a process may hold one in advance that it does not use.
        expect(allowed(verdicts)).toBeGreaterThanOrEqual(rate.burst <= 100 ? rate.burst : rate.burst - 3);
        expect(allowed(verdicts)).toBeLessThanOrEqual(rate.burst + Math.min(more, spare));
      }),
      { numRuns: 15 },
    );
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
});

/**
 * Calls one after the other in several lines on several processes.
 *
 * @returns how many passed, how many were still free afterwards, and how many the rate has given meanwhile
 */
async function flood(rate: Rate, events: number): Promise<{ passed: number; free: number; given: number }> {
  const connections = Array.from({ length: 3 }, () => createDatabase(url, { max: 2 }));
  const name = newId();
  let left = events;
  let passed = 0;
  const startMs = performance.now();
  const lines = Array.from({ length: 24 }, async (_, line) => {
    while (left-- > 0) if ((await countLeasedCall(connections[line % 3]!.db, name, rate)).allowed) passed++;
  });
  await Promise.all(lines);
  const given = rate.burst + (performance.now() - startMs) / 1000 / cost(rate);
  const { granted: free } = await takeCalls(db, name, rate, { waiting: rate.burst });
  await Promise.all(connections.map((connection) => connection.close()));
  return { passed, free, given };
}

test.each([
  [{ perMinute: 60, burst: 1_000 }],
  [{ perMinute: 600, burst: 500 }],
  [{ perMinute: 600_000, burst: 2_000 }],
])("%o: allows at most the rate, and at least 95% of it, with calls taken in advance", async (rate) => {
  const { passed, free, given } = await flood(rate, 2 * rate.burst);
  expect(passed).toBeLessThanOrEqual(given + 1);
  // A fast rate fills the bucket to the brim while connections are made: what it gives then is lost anyway.
  if (rate.perMinute <= 600) expect(passed + free).toBeGreaterThanOrEqual(0.95 * given);
});

test("needs few statements for fast calls far below their limit", async () => {
  const rate = { perMinute: 1_000_000, burst: 1_000_000 };
  const asked = vi.spyOn(db as Database, "execute");
  const verdicts: Verdict[] = [];
  const line = async () => {
    for (let event = 0; event < 100; event++) verdicts.push(await countLeasedCall(db, "busy", rate));
  };
  await Promise.all(Array.from({ length: 20 }, line));
  expect(allowed(verdicts)).toBe(2_000);
  expect(asked.mock.calls.length).toBeLessThan(500);
  asked.mockRestore();
});

test("sequential calls rarely wait for the database while the rest of the limit is unused", async () => {
  const rate = { perMinute: 100_000_000, burst: 100_000_000 };
  const asked = vi.spyOn(db as Database, "execute");
  for (let event = 0; event < 5_000; event++) await countLeasedCall(db, "lonely", rate);
  expect(asked.mock.calls.length).toBeLessThan(500);
  asked.mockRestore();
});

test("takes calls in advance only from the free part beyond 97 % of the burst", async () => {
  const rate = { perMinute: 1, burst: 10_000 };
  const take = (waiting: number) => takeCalls(db, "lasting", rate, { waiting, lasting: 1_000 });
  expect(await take(0)).toMatchObject({ granted: 100 });
  expect(await take(150)).toMatchObject({ granted: 150 + 50 });
  expect(await take(1)).toMatchObject({ granted: 1 });
});

test("takes at most a hundredth of the free calls beyond those of waiting callers", async () => {
  const rate = { perMinute: 1, burst: 1_000 };
  const take = (waiting: number, likely: number) => takeCalls(db, "greedy", rate, { waiting, likely });
  expect(await take(100, 500)).toMatchObject({ granted: 100 + 9 });
  expect(await take(791, 500)).toMatchObject({ granted: 791 + 1 });
  expect(await take(10, 500)).toMatchObject({ granted: 10 });
  expect(await take(500, 500)).toMatchObject({ granted: 89 });
  expect(await take(1, 1)).toMatchObject({ granted: 0 });
});

test("a database outage rejects waiting callers, and later callers start a new request", async () => {
  const connection = createDatabase(url, { max: 1 });
  const rate = { perMinute: 60, burst: 20 };
  await countLeasedCall(connection.db, "gone", rate);
  await connection.close();
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => countLeasedCall(connection.db, "gone", rate)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  await expect(countLeasedCall(connection.db, "gone", rate)).rejects.toThrow();
});

test.each([1e9, 1e13, Number.MAX_SAFE_INTEGER])("allows every call under a limit of %d", async (limit) => {
  const rate = { perMinute: limit, burst: limit };
  const name = newId();
  for (let round = 0; round < 3; round++) {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => countLeasedCall(db, name, rate)));
    expect(allowed(verdicts)).toBe(20);
  }
});
