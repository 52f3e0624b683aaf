import fc from "fast-check";
import { expect, test } from "vitest";
import { Turns } from "./slots.ts";

const limits = { atOnce: 2, waiting: 100, waitMs: 60_000 };

test("never more than a few at a time, and in the order in which they came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (scheduler, atOnce, count) => {
        const turns = new Turns({ ...limits, atOnce });
        const begun: number[] = [];
        let running = 0;
        const one = async (number: number) => {
          using _turn = await turns.take();
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

test("who waits too long, or comes when too many wait, is told when to come again", async () => {
  const turns = new Turns({ atOnce: 1, waiting: 1, waitMs: 10 });
  const first = await turns.take();
  const second = turns.take();
  const refusal = { code: "service_unavailable", retryAfterSeconds: 10 };
  await expect(turns.take()).rejects.toMatchObject(refusal);
  await expect(second).rejects.toMatchObject(refusal);
  first[Symbol.dispose]();
  using _turn = await turns.take();
});

test("who leaves while waiting holds up nobody", async () => {
  const turns = new Turns({ ...limits, atOnce: 1 });
  const first = await turns.take();
  const leaving = new AbortController();
  const second = turns.take(leaving.signal);
  const third = turns.take();
  leaving.abort(new Error("hung up"));
  first[Symbol.dispose]();
  await expect(second).rejects.toThrow("hung up");
  using _turn = await third;
  await expect(turns.take(leaving.signal)).rejects.toThrow("hung up");
});

test("a turn that is given back twice is given back once", async () => {
  const turns = new Turns({ ...limits, atOnce: 1, waitMs: 10 });
  const first = await turns.take();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _turn = await turns.take();
  await expect(turns.take()).rejects.toMatchObject({ code: "service_unavailable" });
});
