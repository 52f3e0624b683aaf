import fc from "fast-check";
import { expect, test } from "vitest";
import { LruCache } from "./lru-cache.ts";

test("keeps the most recently used entries, and makes others again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(..."abcdef")),
      fc.integer({ min: 1, max: 4 }),
      async (asked, max) => {
        const remembered = new LruCache<string>(max);
        let order: string[] = [];
        for (const key of asked) {
          let isMade = false;
          const found = await remembered.get(key, async () => {
            isMade = true;
            return `of ${key}`;
          });
          expect([found, isMade]).toEqual([`of ${key}`, !order.includes(key)]);
          order = [...order.filter((one) => one !== key), key].slice(-max);
        }
      },
    ),
  );
});

test("concurrent callers share one call, and a failure is not cached", async () => {
  const remembered = new LruCache<number>(2);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const failing = [remembered.get("a", () => promise), remembered.get("a", async () => 1)];
  reject(new Error("not now"));
  for (const one of await Promise.allSettled(failing)) expect(one.status).toBe("rejected");
  resolve(0);
  expect(await remembered.get("a", async () => 2)).toBe(2);
  expect(await remembered.get("a", async () => 3)).toBe(2);
});

test("evicts by weight, also of an entry that grows, but keeps the entry used last", async () => {
  const kept = new LruCache<string>(10, 100);
  const made: string[] = [];
  const growing = new Map<string, (weight: number) => void>();
  const ask = (key: string, weight: number) =>
    kept.get(key, async (weigh) => {
      made.push(key);
      growing.set(key, weigh);
      weigh(weight);
      return key;
    });
  for (const key of ["a", "b"]) await ask(key, 40);
  await ask("c", 150);
  await ask("c", 150);
  expect(made).toEqual(["a", "b", "c"]);
  for (const key of ["a", "b"]) await ask(key, 40);
  growing.get("b")!(30);
  await ask("b", 40);
  await ask("a", 40);
  expect(made).toEqual(["a", "b", "c", "a", "b", "a"]);
});
