import { expect, test } from "vitest";
import { newId } from "#lib/platform/ids/new-id";
import { cached } from "./series-cache.ts";

const EIGHTH_GB = 128 * 1024 * 1024;
const values = (bytes: number) => new Float64Array(new SharedArrayBuffer(bytes));
const run = () => ({ runId: newId(), jobId: newId(), rowCount: 1 });
type Run = ReturnType<typeof run>;

test("evicts the series used first by their memory, and counts shared times once", async () => {
  const made: Run[] = [];
  const ask = (one: Run, prediction: Float64Array, timestamps: Float64Array | null = null) =>
    cached(one, "points", async () => {
      made.push(one);
      return { timestamps, prediction };
    });
  const [a, b, c] = [run(), run(), run()];
  for (const one of [a, b, c]) await ask(one, values(EIGHTH_GB));
  for (const one of [b, c]) await ask(one, values(8));
  expect(made).toEqual([a, b, c]);
  await ask(a, values(EIGHTH_GB));
  await ask(c, values(8));
  expect(made).toEqual([a, b, c, a]);
  made.length = 0;

  const times = values(EIGHTH_GB);
  const sharing = Array.from({ length: 5 }, run);
  for (const one of sharing) await ask(one, values(8), times);
  for (const one of sharing) await ask(one, values(8), times);
  expect(made).toEqual(sharing);
  // Evicting one of them does not free their times, and evicting all does.
  for (const one of [a, b, c]) await ask(one, values(EIGHTH_GB));
  made.length = 0;
  await ask(sharing.at(-1)!, values(8), times);
  expect(made).toEqual([sharing.at(-1)]);
});

test("does not cache a failure", async () => {
  const one = run();
  const failing = cached(one, "points", () => Promise.reject(new Error("not now")));
  await expect(failing).rejects.toThrow("not now");
  const points = { timestamps: null, prediction: values(8) };
  expect(await cached(one, "points", async () => points)).toBe(points);
});
