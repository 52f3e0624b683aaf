import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SlowLine } from "./slow-line.ts";

test("all bytes arrive, in their order, on each of several ways through it", async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(chunks, { minLength: 1, maxLength: 4 }), async (sent) => {
      const line = new SlowLine({ latencyMs: 2, bytesPerSecond: 100_000 });
      const arrived = await Promise.all(
        sent.map((parts) => {
          const way = line.way();
          for (const part of parts) way.write(part);
          way.end();
          return buffer(way);
        }),
      );
      expect(arrived.map((bytes) => [...bytes])).toEqual(
        sent.map((parts) => parts.flatMap((part) => [...part])),
      );
    }),
  );
});

test("two ways together are no faster than the line, and nothing comes before its latency", async () => {
  const line = new SlowLine({ latencyMs: 30, bytesPerSecond: 1_000_000 });
  const startMs = performance.now();
  const ways = [line.way(), line.way()];
  const first = Promise.race(ways.map((way) => new Promise((resolve) => way.once("data", resolve))));
  for (const way of ways) way.end(Buffer.alloc(50_000));
  await first;
  // Timers may fire a millisecond early.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(78);
  await Promise.all(ways.map((way) => buffer(way)));
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(128);
});
