import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeScenario } from "./judge-scenario.ts";

const HOUR_MS = 3_600_000;
const hours = (values: readonly number[]) => Float64Array.from(values, (hour) => hour * HOUR_MS);
const tableOf = (times: readonly number[], values: readonly number[]) => ({
  rowCount: times.length,
  columns: [
    { name: "at", type: "timestamp" as const, values: hours(times) },
    { name: "y", type: "number" as const, values: Float64Array.from(values) },
  ],
});
const numbers = (count: number) =>
  fc.array(fc.integer({ min: -50, max: 50 }), { minLength: count, maxLength: count });

describe("a scenario beside what came true of it", () => {
  it("is measured over the rows of the window whose actual value is known, in whatever order they stand", async () => {
    const scenario = fc
      .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 })
      .chain((times) => fc.record({ times: fc.constant(times), values: numbers(times.length) }));
    await fc.assert(
      fc.asyncProperty(
        ...([
          scenario,
          numbers(40),
          fc.integer({ min: 0, max: 60 }),
          fc.integer({ min: 0, max: 60 }),
        ] as const),
        async ({ times, values }, actual, a, b) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const judged = await judgeScenario({
            series: {
              timestamps: hours(times),
              prediction: Float64Array.from(values),
              lower: Float64Array.from(values, (value) => value - 5),
              upper: Float64Array.from(values, (value) => value + 5),
            },
            known: {
              ...{ timestamp: "at", target: "y", grid: null },
              known: tableOf([...actual.keys()], actual),
            },
            ...{
              kept: null,
              keptUntil: null,
              knownUntil: null,
              learnedUntil: 9 * HOUR_MS,
              naive: { mean: 1 },
            },
            window: { from: from * HOUR_MS, to: to * HOUR_MS, maxPoints: 1_000 },
          });
          const rows = times
            .map((hour, row) => ({ hour, predicted: values[row]!, actual: actual[hour] }))
            .filter(({ hour }) => hour >= from && hour <= to)
            .toSorted((x, y) => x.hour - y.hour);
          const known = rows.flatMap(({ actual, ...row }) =>
            actual === undefined ? [] : [{ ...row, actual }],
          );
          if (known.length === 0) {
            expect(judged).toBeNull();
            return;
          }
          const misses = known.map(({ predicted, actual }) => Math.abs(predicted - actual));
          const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
          expect(judged).toMatchObject({
            errors: {
              rows: known.length,
              coverage: misses.filter((miss) => miss <= 5).length / known.length,
            },
            learnedRows: known.filter(({ hour }) => hour <= 9).length,
            timestamps: rows.map(({ hour }) => new Date(hour * HOUR_MS).toISOString()),
            predicted: rows.map(({ predicted }) => predicted),
            actual: rows.map(({ actual }) => actual ?? null),
            baseline: rows.map(() => 1),
          });
          expect(judged!.errors.mae).toBeCloseTo(sum(misses) / known.length, 9);
        },
      ),
    );
  });
});
