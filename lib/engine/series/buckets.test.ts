import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregates, bucketUnits } from "#lib/contract/buckets";
import { createGrid } from "#lib/engine/features/grid";
import { resamplingGrid } from "#lib/engine/features/resample";
import { bucketBounds, bucketLevels } from "#lib/engine/intervals/bucket-bounds";
import { totalIntervals, totalLevels } from "#lib/engine/intervals/total-intervals";
import { aggregateBuckets, bucketsOf, chooseUnit } from "./buckets.ts";
import { compareScenarios } from "./compare-scenarios.ts";
import { RunningSum } from "./sum.ts";
import { rowsBetween } from "./window.ts";

const hour = 3_600_000;
const day = 24 * hour;
const zones = ["UTC", "Europe/Berlin", "America/New_York", "America/Havana", "Asia/Kolkata", "Pacific/Apia"];
const frequencies = { hour: "PT1H", day: "P1D", week: "P7D", month: "P1M", quarter: "P3M", year: "P1Y" };

/** Hours with gaps, which start up to half a day before or after a clock change or the end of a year. */
const hours = fc
  .record({
    start: fc.constantFrom(
      "2024-03-31T01:00Z",
      "2024-10-27T01:00Z",
      "2024-11-03T06:00Z",
      "2011-12-30T10:00Z",
    ),
    before: fc.integer({ min: 0, max: 80 }),
    steps: fc.array(fc.constantFrom(1, 1, 1, 1, 2, 30, 900), { minLength: 1, maxLength: 200 }),
  })
  .map(({ start, before, steps }) => {
    let time = Date.parse(start) - before * hour;
    return Float64Array.from(steps, (step) => (time += step * hour));
  });
const whole = (times: Float64Array) => ({ start: 0, end: times.length });
const sumOf = (values: Iterable<number>) => {
  const sum = new RunningSum();
  for (const value of values) if (!Number.isNaN(value)) sum.add(value);
  return sum.value;
};

describe("bucketsOf", () => {
  it("begins every day at midnight if the clocks skip the first day's midnight", () => {
    // 2024-03-10 begins at 01:00 in Havana, then each day at 04:00 UTC.
    const times = Float64Array.from({ length: 71 }, (_, hour) => Date.UTC(2024, 2, 10, 5 + hour));
    const { begins, starts } = bucketsOf(times, whole(times), { unit: "day", timezone: "America/Havana" });
    expect([...begins]).toEqual([0, 23, 47, 71]);
    expect(Array.from(starts, (start) => new Date(start).toISOString().slice(8, 16))).toEqual([
      ...["10T05:00", "11T04:00", "12T04:00"],
    ]);
  });

  it("groups each row as the calendar of the zone does, across clock changes and skipped days", () => {
    fc.assert(
      fc.property(
        hours,
        fc.constantFrom(...zones),
        fc.constantFrom(...bucketUnits),
        (times, timezone, unit) => {
          const { begins, starts } = bucketsOf(times, whole(times), { unit, timezone });
          const { indexOf, timeAt } = createGrid(resamplingGrid(times[0]!, frequencies[unit], timezone));
          const buckets = Map.groupBy(times, indexOf);
          expect([...starts]).toEqual([...buckets.keys()].map(timeAt));
          expect([...begins].slice(1).map((end, at) => end - begins[at]!)).toEqual(
            [...buckets.values()].map(({ length }) => length),
          );
          expect(begins[0]).toBe(0);
        },
      ),
    );
  });

  it("begins days at midnight, weeks on Monday, quarters and years on their first day", () => {
    const times = Float64Array.from(
      { length: 200 },
      (_, i) => Date.parse("2024-02-14T00:00Z") + i * 12 * hour,
    );
    const first = (unit: (typeof bucketUnits)[number]) =>
      [...bucketsOf(times, whole(times), { unit, timezone: "Europe/Berlin" }).starts]
        .slice(0, 2)
        .map((start) => new Date(start).toISOString().slice(0, 16));
    expect(bucketUnits.map((unit) => [unit, ...first(unit)])).toEqual([
      ["hour", "2024-02-14T00:00", "2024-02-14T12:00"],
      ["day", "2024-02-13T23:00", "2024-02-14T23:00"],
      ["week", "2024-02-11T23:00", "2024-02-18T23:00"],
      ["month", "2024-01-31T23:00", "2024-02-29T23:00"],
      ["quarter", "2023-12-31T23:00", "2024-03-31T22:00"],
      ["year", "2023-12-31T23:00"],
    ]);
  });

  it("extends a window to whole buckets", () => {
    fc.assert(
      fc.property(
        hours,
        fc.constantFrom(...zones),
        fc.constantFrom(...bucketUnits),
        fc.tuple(fc.nat(), fc.nat()),
        (times, timezone, unit, ends) => {
          const [a, b] = ends.map((end) => end % times.length).sort((x, y) => x - y);
          const all = bucketsOf(times, whole(times), { unit, timezone });
          const asked = rowsBetween(times, times.length, times[a!], times[b!]);
          const some = bucketsOf(times, asked, { unit, timezone });
          const at = all.starts.indexOf(some.starts[0]!);
          expect(some.starts).toEqual(all.starts.slice(at, at + some.starts.length));
          expect(some.window.start).toBe(all.begins[at]);
          expect(some.window.end).toBe(all.begins[at + some.starts.length]);
          expect(some.window.start).toBeLessThanOrEqual(a!);
          expect(some.window.end).toBeGreaterThan(b!);
        },
      ),
    );
  });

  it("marks the first and the last bucket as incomplete if a regular row is missing", () => {
    const completeness = (first: string, count: number, step: number, unit: "day" | "week" | "quarter") => {
      const times = Float64Array.from({ length: count }, (_, i) => Date.parse(first) + i * step);
      const { complete } = bucketsOf(times, whole(times), { unit, timezone: "UTC" });
      expect(complete.slice(1, -1)).not.toContain(false);
      return [complete[0], complete.at(-1)];
    };
    expect(completeness("2024-01-01T00:00Z", 72, hour, "day")).toEqual([true, true]);
    expect(completeness("2024-01-01T01:00Z", 71, hour, "day")).toEqual([false, true]);
    expect(completeness("2024-01-01T00:00Z", 71, hour, "day")).toEqual([true, false]);
    expect(completeness("2024-01-01T00:00Z", 14, day, "week")).toEqual([true, true]);
    expect(completeness("2024-01-02T00:00Z", 14, day, "week")).toEqual([false, false]);
    const months = Float64Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month));
    const quarters = bucketsOf(months, whole(months), { unit: "quarter", timezone: "UTC" });
    expect(quarters.complete).toEqual([true, true, true, true]);
    const some = bucketsOf(
      months.subarray(1, 11),
      { start: 0, end: 10 },
      { unit: "quarter", timezone: "UTC" },
    );
    expect(some.complete).toEqual([false, true, true, false]);
    const weekdays = Float64Array.from({ length: 20 }, (_, i) =>
      Date.UTC(2024, 0, 1 + i + 2 * Math.floor(i / 5)),
    );
    expect(bucketsOf(weekdays, whole(weekdays), { unit: "week", timezone: "UTC" }).complete).toEqual([
      ...[true, true, true, true],
    ]);
  });
});

describe("chooseUnit", () => {
  it("keeps rows that fit, and opens a month of hours as days", () => {
    const times = (count: number, step: number) =>
      Float64Array.from({ length: count }, (_, i) => Date.UTC(2024, 0) + i * step);
    const choice = (count: number, step: number, points = 500) => {
      const all = times(count, step);
      return chooseUnit(all, whole(all), points);
    };
    expect(choice(336, hour)).toBeNull();
    expect(choice(744, hour)).toBe("day");
    expect(choice(24 * 731, hour)).toBe("week");
    expect(choice(731, day)).toBe("week");
    expect(choice(731, day, 60)).toBe("month");
    expect(choice(5_000, 60_000)).toBe("hour");
    expect(choice(2_000, 400 * day)).toBeNull();
  });
});

describe("aggregated series", () => {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(Number.NaN) },
  );
  const many = fc.array(value, { minLength: 200, maxLength: 200 });

  it("has the sum of its rows at every level, across clock changes", () => {
    fc.assert(
      fc.property(hours, many, fc.constantFrom(...zones), (times, all, timezone) => {
        const values = Float64Array.from(times, (_, row) => all[row]!);
        const total = sumOf(values);
        const size = sumOf(values.map(Math.abs));
        for (const unit of bucketUnits) {
          const { begins } = bucketsOf(times, whole(times), { unit, timezone });
          const sums = aggregateBuckets((row) => values[row]!, begins, "sum");
          expect(Math.abs(sumOf(sums) - total)).toBeLessThanOrEqual(1e-12 * size);
        }
      }),
    );
  });

  it("has the total difference, the last cumulative difference and the summary of its rows for every bucket", () => {
    fc.assert(
      fc.property(hours, many, many, fc.constantFrom(...zones), (times, a, b, timezone) => {
        const series = [a, b].map((all, index) => ({
          scenarioId: `${index}`,
          timestamps: times.slice(index),
          prediction: Float64Array.from(times.slice(index), (_, row) => all[row]!),
        }));
        const rows = compareScenarios(series, "0");
        const size = sumOf([...a, ...b].map(Math.abs));
        for (const unit of bucketUnits)
          for (const aggregate of aggregates) {
            const { series: found, spans } = compareScenarios(series, "0", {
              bucket: { unit, aggregate, timezone },
            });
            const [plain, aggregated] = [rows.series[1]!, found[1]!];
            expect(aggregated.totalDifference).toBe(plain.totalDifference);
            expect(spans).toEqual(rows.spans);
            const last = aggregated.cumulative.findLast((one) => !Number.isNaN(one)) ?? 0;
            expect(Math.abs(last - (plain.totalDifference ?? 0))).toBeLessThanOrEqual(1e-12 * size);
          }
      }),
      { numRuns: 20 },
    );
  });

  it("compares means and last values over the rows that both have", () => {
    const times = Float64Array.from({ length: 48 }, (_, i) => Date.UTC(2024, 0) + i * hour);
    const of = (scenarioId: string, valueAt: (row: number) => number) => ({
      scenarioId,
      timestamps: times,
      prediction: Float64Array.from(times.keys(), valueAt),
    });
    const compared = [of("a", (row) => row), of("b", (row) => (row < 12 ? Number.NaN : row + 2))];
    const by = (aggregate: (typeof aggregates)[number]) =>
      compareScenarios(compared, "a", { bucket: { unit: "day", aggregate, timezone: "UTC" } }).series[1]!;
    expect(by("sum")).toMatchObject({
      differences: Float64Array.of(24, 48),
      cumulative: Float64Array.of(24, 72),
    });
    expect(by("mean")).toMatchObject({
      values: Float64Array.of(19.5, 37.5),
      differences: Float64Array.of(2, 2),
      cumulative: Float64Array.of(24, 72),
    });
    expect(by("last")).toMatchObject({
      values: Float64Array.of(25, 49),
      differences: Float64Array.of(2, 2),
      cumulative: Float64Array.of(24, 72),
    });
  });

  it("has the intervals of totals, none where half widths are missing, and actuals of complete buckets", () => {
    const times = Float64Array.from({ length: 72 }, (_, i) => Date.UTC(2024, 0) + i * hour);
    const prediction = Float64Array.from(times.keys(), (row) => 100 + row);
    const upper = prediction.map((one, row) => (row === 70 ? Number.NaN : one + 10));
    const bucket = { unit: "day", aggregate: "sum", timezone: "UTC" } as const;
    const actuals = (asked: Float64Array) => asked.map((time, at) => (at === 30 ? Number.NaN : time / time));
    const { bucketed, series, actual } = compareScenarios(
      [{ scenarioId: "a", timestamps: times, prediction, upper }],
      "a",
      { bucket },
      actuals,
    );
    const shape = {
      floor: 100,
      ratios: [0.5, 0.9].map((level) => ({ level, ratio: level / 0.9 })),
      sumPower: null,
      sumErrors: { shared: 0.1, fading: 0.6 },
    };
    expect(actual).toEqual(Float64Array.of(24, Number.NaN, 24));
    expect([...bucketed!.counts[0]!]).toEqual([24, 24, 24]);
    expect([...bucketed!.squares[0]!]).toEqual([2400, 2400, Number.NaN]);
    for (const aggregate of ["sum", "mean"] as const) {
      const sums = series[0]!.values;
      const values = sums.map((sum) => (aggregate === "sum" ? sum : sum / 24));
      const totals = { aggregate, values, counts: bucketed!.counts[0]!, squares: bucketed!.squares[0]! };
      const bounds = bucketBounds(totals, shape);
      const levels = bucketLevels([0.5], totals, bounds, shape);
      sums.slice(0, 2).forEach((sum, at) => {
        const found = totalIntervals({ sum, count: 24, squaredWidths: 2400 }, shape);
        const others = totalLevels([0.5], { sum, count: 24 }, { ...found, shape });
        const [own, half] =
          aggregate === "sum"
            ? [found.sumInterval!, others.sumLevels[0]!]
            : [found.meanInterval!, others.meanLevels[0]!];
        expect(bounds.lower[at]).toBeCloseTo(own.lower!, 9);
        expect(bounds.upper[at]).toBeCloseTo(own.upper!, 9);
        expect(levels[0]!.lower[at]).toBeCloseTo(half.lower!, 9);
        expect(levels[0]!.upper[at]).toBeCloseTo(half.upper!, 9);
      });
      expect([bounds.lower[2], bounds.upper[2]]).toEqual([Number.NaN, Number.NaN]);
      expect(bucketLevels([0.9], totals, bounds, shape)).toEqual([{ level: 0.9, ...bounds }]);
    }
  });
});
