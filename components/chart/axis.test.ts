import fc from "fast-check";
import { expect, test } from "vitest";
import { axisOf, pointLabel, tickFormatter } from "./axis.ts";
import { axisTicks } from "./scale.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 10);

test("labels the ticks of any span differently", () => {
  const spans = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 90_000 }));
  fc.assert(
    fc.property(spans, fc.integer({ min: 2, max: 12 }), ([from, hours], count) => {
      const ticks = axisTicks("time", [start + from * hour, start + (from + hours) * hour], count);
      const labels = ticks.map(tickFormatter("time", ticks));
      expect(new Set(labels).size).toBe(ticks.length);
    }),
  );
});

test("labels ticks within five days with day and hour", () => {
  const ticks = [start, start + 12 * hour, start + day];
  expect(ticks.map(tickFormatter("time", ticks))).toEqual([
    "10 Jan, 00:00",
    "10 Jan, 12:00",
    "11 Jan, 00:00",
  ]);
});

test("names the hour at midnight of hourly points, but not of daily points", () => {
  const axis = (step: number) =>
    axisOf({ timestamps: [0, 1, 2].map((i) => new Date(start + i * step).toISOString()) });
  expect(pointLabel(axis(hour), start)).toBe("Sat, 10 Jan 2026, 00:00 UTC");
  expect(pointLabel(axis(day), start)).toBe("Sat, 10 Jan 2026");
});
