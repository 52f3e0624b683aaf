import fc from "fast-check";
import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

const limits = { atOnce: 2, waiting: 100, waitMs: 60_000 };

test("never more than a few at a time, and in the order in which they came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (scheduler, atOnce, count) => {
        const turns = new Slots({ ...limits, atOnce });
        const begun: number[] = [];
        let running = 0;
        const one = async (number: number) => {
          using _slot = await turns.acquire();
          begun.push(number);
          running++;
          expect(running).toBeLessThanOrEqual(atOnce);
          await scheduler.schedule(Promise.resolve());
          running--;
        };
        const all = Promise.all(Array.from({ length: count }, (_, number) => one(number)));
        await scheduler.waitFor(all);
        expect(begun).toEqual(Array.from({ length: count }, (_, number) => number));
      },
    ),
  );
});

test("rejects with a retry delay after a long wait or when the queue is full", async () => {
  const turns = new Slots({ atOnce: 1, waiting: 1, waitMs: 10 });
  const first = await turns.acquire();
  const second = turns.acquire();
  const refusal = { code: "service_unavailable", retryAfterSeconds: 10 };
  await expect(turns.acquire()).rejects.toMatchObject(refusal);
  await expect(second).rejects.toMatchObject(refusal);
  first[Symbol.dispose]();
  using _slot = await turns.acquire();
});

test("a caller that leaves the queue delays no other caller", async () => {
  const turns = new Slots({ ...limits, atOnce: 1 });
  const first = await turns.acquire();
  const leaving = new AbortController();
  const second = turns.acquire(leaving.signal);
  const third = turns.acquire();
  leaving.abort(new Error("hung up"));
  first[Symbol.dispose]();
  await expect(second).rejects.toThrow("hung up");
  using _slot = await third;
  await expect(turns.acquire(leaving.signal)).rejects.toThrow("hung up");
});

test("a turn that is given back twice is given back once", async () => {
  const turns = new Slots({ ...limits, atOnce: 1, waitMs: 10 });
  const first = await turns.acquire();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _slot = await turns.acquire();
  await expect(turns.acquire()).rejects.toMatchObject({ code: "service_unavailable" });
});
