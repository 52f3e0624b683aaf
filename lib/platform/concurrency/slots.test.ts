import fc from "fast-check";
import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

const limits = { atOnce: 2, waiting: 100, waitMs: 60_000 };

test("grants at most the limit at once, in the order of the calls", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (scheduler, atOnce, count) => {
        const slots = new Slots({ ...limits, atOnce });
        const begun: number[] = [];
        let running = 0;
        const one = async (number: number) => {
          using _slot = await slots.acquire();
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
  const slots = new Slots({ atOnce: 1, waiting: 1, waitMs: 10 });
  const first = await slots.acquire();
  const second = slots.acquire();
  const rejection = { code: "service_unavailable", retryAfterSeconds: 10 };
  await expect(slots.acquire()).rejects.toMatchObject(rejection);
  await expect(second).rejects.toMatchObject(rejection);
  first[Symbol.dispose]();
  using _slot = await slots.acquire();
});

test("a caller that leaves the queue delays no other caller", async () => {
  const slots = new Slots({ ...limits, atOnce: 1 });
  const first = await slots.acquire();
  const leaving = new AbortController();
  const second = slots.acquire(leaving.signal);
  const third = slots.acquire();
  leaving.abort(new Error("hung up"));
  first[Symbol.dispose]();
  await expect(second).rejects.toThrow("hung up");
  using _slot = await third;
  await expect(slots.acquire(leaving.signal)).rejects.toThrow("hung up");
});

test("a slot that is released twice is freed once", async () => {
  const slots = new Slots({ ...limits, atOnce: 1, waitMs: 10 });
  const first = await slots.acquire();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _slot = await slots.acquire();
  await expect(slots.acquire()).rejects.toMatchObject({ code: "service_unavailable" });
});

test("leaves a slot to other projects, and half of the queue", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom("a", "b", null), { minLength: 1, maxLength: 12 }),
      async (scheduler, atOnce, owners) => {
        const slots = new Slots({ ...limits, atOnce });
        const running: (string | null)[] = [];
        const most = Math.max(1, atOnce - 1);
        const one = async (owner: string | null) => {
          using _slot = await slots.acquire(undefined, owner);
          running.push(owner);
          expect(running.length).toBeLessThanOrEqual(atOnce);
          for (const name of ["a", "b"])
            expect(running.filter((other) => other === name).length).toBeLessThanOrEqual(most);
          await scheduler.schedule(Promise.resolve());
          running.splice(running.indexOf(owner), 1);
        };
        const all = Promise.all(owners.map(one));
        await scheduler.waitFor(all);
      },
    ),
  );
  const slots = new Slots({ ...limits, waiting: 4 });
  const held = await slots.acquire(undefined, "a");
  const waiting = [slots.acquire(undefined, "a"), slots.acquire(undefined, "a")];
  await expect(slots.acquire(undefined, "a")).rejects.toMatchObject({ code: "service_unavailable" });
  const other = await slots.acquire(undefined, "b");
  other[Symbol.dispose]();
  held[Symbol.dispose]();
  for (const slot of waiting) (await slot)[Symbol.dispose]();
});
