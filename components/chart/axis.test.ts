import fc from "fast-check";
import { expect, test } from "vitest";
import { periodOfBuckets } from "#components/time/period.ts";
import {
  axisName,
  axisOf,
  incompleteNote,
  incompleteText,
  pointLabel,
  rowLabels,
  tickFormatter,
} from "./axis.ts";
import { axisTicks } from "./axis-ticks.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 10);
const berlin = periodOfBuckets({ unit: "hour", timezone: "Europe/Berlin" });

test("labels the ticks of any span differently", () => {
  const spans = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 90_000 }));
  fc.assert(
    fc.property(spans, fc.integer({ min: 2, max: 12 }), ([from, hours], count) => {
      const ticks = axisTicks("time", [start + from * hour, start + (from + hours) * hour], count);
      const labels = ticks.map(tickFormatter("time", ticks, null));
      expect(new Set(labels).size).toBe(ticks.length);
    }),
  );
});

test("labels ticks within five days with day and hour", () => {
  const ticks = [start, start + 12 * hour, start + day];
  expect(ticks.map(tickFormatter("time", ticks, null))).toEqual([
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

test("reads the points of an axis once for all labels", () => {
  const axis = axisOf({ rows: [start, start + hour] });
  let reads = 0;
  const { every } = axis.xs;
  axis.xs.every = (...test) => {
    reads++;
    return every.apply(axis.xs, test);
  };
  const label = () => pointLabel({ ...axis, kind: "time" }, start);
  expect(label()).toBe("Sat, 10 Jan 2026, 00:00 UTC");
  const before = reads;
  expect(label()).toBe("Sat, 10 Jan 2026, 00:00 UTC");
  expect([before > 0, reads]).toEqual([true, before]);
});

test("names the seconds of points within a minute, and of their ticks", () => {
  const timestamps = [0, 1, 2, 3].map((i) => new Date(start + i * 10_000).toISOString());
  const axis = axisOf({ timestamps });
  expect(pointLabel(axis, axis.xs[1]!)).toBe("Sat, 10 Jan 2026, 00:00:10 UTC");
  expect(rowLabels(axis)(axis.xs[2]!)).toBe("Sat, 10 Jan 2026, 00:00:20");
  const ticks = axisTicks("time", axis.domain, 4);
  expect(ticks.map(tickFormatter("time", ticks, null))).toEqual([
    "00:00:00",
    "00:00:10",
    "00:00:20",
    "00:00:30",
  ]);
});

test("has no tick twice where the clock is put forward", () => {
  const midnight = Date.parse("2026-03-28T23:00:00Z");
  const ticks = axisTicks("time", [midnight, midnight + 7 * hour], 9, berlin);
  expect(ticks).toEqual([...new Set(ticks)]);
  expect(ticks.map(tickFormatter("time", ticks, berlin)).slice(0, 4)).toEqual([
    ...["00:00", "01:00", "03:00", "04:00"],
  ]);
});

test("names buckets and ticks in the zone of the buckets", () => {
  const name = (unit: "hour" | "day" | "week" | "month" | "quarter" | "year") => {
    const buckets = { unit, aggregate: "sum", timezone: "Europe/Berlin", complete: [false, true] } as const;
    const axis = axisOf({
      timestamps: ["2023-12-31T23:00:00Z", "2025-12-31T23:00:00Z"],
      buckets: { ...buckets, from: null, to: null, complete: [...buckets.complete] },
    });
    expect([incompleteNote(axis, 0), incompleteNote(axis, 1)]).toEqual([`Incomplete ${unit}: rows`, null]);
    return [axisName(axis), pointLabel(axis, axis.xs[0]!)];
  };
  expect(name("hour")).toEqual(["Hour (Europe/Berlin)", "Mon, 1 Jan 2024, 00:00"]);
  expect(name("day")[1]).toBe("Mon, 1 Jan 2024");
  expect(name("week")[1]).toBe("Week of 1 Jan 2024");
  expect(name("month")[1]).toBe("Jan 2024");
  expect(name("quarter")[1]).toBe("Q1 2024");
  expect(name("year")[1]).toBe("2024");
  const summer = Date.parse("2024-07-09T22:00Z");
  const ticks = axisTicks("time", [summer, summer + 4 * day], 4, { ...berlin, unit: "day" });
  expect(ticks[0]).toBe(summer);
  expect(ticks.map(tickFormatter("time", ticks, berlin))[0]).toBe("10 Jul");
});

test("names the rows of incomplete buckets at both ends", () => {
  const axis = (complete: boolean[], from: string, to: string) =>
    axisOf({
      timestamps: ["2025-12-31T23:00Z", "2026-01-31T23:00Z", "2026-02-28T23:00Z"].slice(0, complete.length),
      buckets: { unit: "month", aggregate: "sum", timezone: "Europe/Berlin", from, to, complete },
    });
  const days = axis([false, true, false], "2026-01-19T23:00Z", "2026-03-11T23:00Z");
  expect([0, 1, 2].map((at) => incompleteNote(days, at))).toEqual([
    "Incomplete month: rows from 20 Jan 2026",
    null,
    "Incomplete month: rows to 12 Mar 2026",
  ]);
  expect(incompleteText(days)).toBe(
    "Incomplete: Jan 2026 (rows from 20 Jan 2026), Mar 2026 (rows to 12 Mar 2026).",
  );
  const hours = axis([true, true, false], "2025-12-31T23:00Z", "2026-03-12T12:00Z");
  expect(incompleteText(hours)).toBe("Incomplete: Mar 2026 (rows to 12 Mar 2026, 13:00).");
  const short = axis([false], "2026-01-19T23:00Z", "2026-01-22T23:00Z");
  expect(incompleteNote(short, 0)).toBe("Incomplete month: rows from 20 Jan 2026 to 23 Jan 2026");
  expect(incompleteText(axis([true, true], "2025-12-31T23:00Z", "2026-02-27T23:00Z"))).toBeNull();
  expect(incompleteText(axisOf({ rows: [1, 2] }))).toBeNull();
});
