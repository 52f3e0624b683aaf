import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryRate } from "./memory-rate.ts";

const rates = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 200 }),
});
const epochs = fc.double({ min: 1e9, max: 3e9, noNaN: true });

test("allows exactly the burst at once", () => {
  fc.assert(
    fc.property(rates, epochs, (rate, now) => {
      const limiter = new MemoryRate(10);
      for (let count = 1; count <= rate.burst; count++) {
        const state = limiter.count("a", rate, now);
        expect([state.allowed, state.remaining]).toEqual([true, rate.burst - count]);
      }
      expect(limiter.count("a", rate, now)).toMatchObject({ allowed: false, remaining: 0 });
    }),
  );
});

test("allows a call after the returned delay", () => {
  fc.assert(
    fc.property(rates, epochs, (rate, now) => {
      const limiter = new MemoryRate(10);
      let state = limiter.count("a", rate, now);
      while (state.allowed) state = limiter.count("a", rate, now);
      expect(Number.isInteger(state.windowSeconds)).toBe(true);
      expect(state.windowSeconds).toBeGreaterThanOrEqual(1);
      expect(limiter.count("a", rate, now + state.windowSeconds).allowed).toBe(true);
    }),
  );
});

test("allows at most the burst and the refill in every window", () => {
  const gaps = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(rates, gaps, (rate, steps) => {
      const limiter = new MemoryRate(10);
      let now = 1_800_000_000;
      const passed: number[] = [];
      for (const step of steps) {
        now += step;
        if (limiter.count("a", rate, now).allowed) passed.push(now);
      }
      passed.forEach((from, first) => {
        passed.slice(first).forEach((to, count) => {
          expect(count + 1).toBeLessThanOrEqual(rate.burst + ((to - from) * rate.perMinute) / 60 + 0.02);
        });
      });
    }),
    { numRuns: 30 },
  );
});

test("never rejects under a huge limit", () => {
  const limiter = new MemoryRate(10);
  const rate = { perMinute: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER };
  for (let count = 0; count < 10_000; count++) {
    expect(limiter.count("a", rate, 1_800_000_000).allowed).toBe(true);
  }
});

test("counts subjects separately, and keeps the most recent ones", () => {
  const limiter = new MemoryRate(2);
  const rate = { perMinute: 1, burst: 1 };
  for (const subject of ["a", "b", "c"]) expect(limiter.count(subject, rate, 1e9).allowed).toBe(true);
  expect(limiter.count("c", rate, 1e9).allowed).toBe(false);
  expect(limiter.count("b", rate, 1e9).allowed).toBe(false);
  expect(limiter.count("a", rate, 1e9).allowed).toBe(true);
});
