import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SlowLine } from "./slow-line.ts";

test("delivers all bytes of several connections, each in order", async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(chunks, { minLength: 1, maxLength: 4 }), async (sent) => {
      const line = new SlowLine({ latencyMs: 2, bytesPerSecond: 100_000 });
      const arrived = await Promise.all(
        sent.map((parts) => {
          const stream = line.stream();
          for (const part of parts) stream.write(part);
          stream.end();
          return buffer(stream);
        }),
      );
      expect(arrived.map((bytes) => [...bytes])).toEqual(
        sent.map((parts) => parts.flatMap((part) => [...part])),
      );
    }),
  );
});

test("limits two connections to the shared bandwidth, and delays the first bytes by the latency", async () => {
  const line = new SlowLine({ latencyMs: 30, bytesPerSecond: 1_000_000 });
  const startMs = performance.now();
  const streams = [line.stream(), line.stream()];
  const first = Promise.race(streams.map((stream) => new Promise((resolve) => stream.once("data", resolve))));
  for (const stream of streams) stream.end(Buffer.alloc(50_000));
  await first;
  // Timers may fire a millisecond early.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(78);
  await Promise.all(streams.map((stream) => buffer(stream)));
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(128);
});
