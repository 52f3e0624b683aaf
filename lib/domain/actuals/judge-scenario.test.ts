import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeScenario, rowsWithActuals } from "./judge-scenario.ts";

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

describe("judgeScenario", () => {
  it("measures the rows of the window with actuals, in any row order", async () => {
    const scenario = fc
      .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 })
      .chain((times) =>
        fc.record({
          times: fc.constantFrom(
            times,
            times.toSorted((a, b) => a - b),
          ),
          values: numbers(times.length),
        }),
      );
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
          const known = {
            timestamp: "at",
            target: "y",
            grid: null,
            known: tableOf([...actual.keys()], actual),
          };
          const window = { from: from * HOUR_MS, to: to * HOUR_MS, maxPoints: 1_000 };
          const points = { timestamps: hours(times), prediction: Float64Array.from(values) };
          // Other rows need no bounds.
          const { start, end } = rowsWithActuals(points.timestamps, known, window);
          const bound = (by: number) => points.prediction.slice(start, end).map((value) => value + by);
          const judged = await judgeScenario({
            points,
            known,
            window,
            bounds: { from: start, lower: bound(-5), upper: bound(5) },
            areClasses: false,
            kept: null,
            keptUntil: null,
            knownUntil: null,
            learnedUntil: 9 * HOUR_MS,
            naive: { mean: 1 },
          });
          const rows = times
            .map((hour, row) => ({ hour, predicted: values[row]!, actual: actual[hour] }))
            .filter(({ hour }) => hour >= from && hour <= to)
            .toSorted((x, y) => x.hour - y.hour);
          const compared = rows.flatMap(({ actual, ...row }) =>
            actual === undefined ? [] : [{ ...row, actual }],
          );
          if (compared.length === 0) {
            expect(judged).toBeNull();
            return;
          }
          const misses = compared.map(({ predicted, actual }) => Math.abs(predicted - actual));
          const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
          expect(judged).toMatchObject({
            errors: {
              rows: compared.length,
              coverage: misses.filter((miss) => miss <= 5).length / compared.length,
            },
            learnedRows: compared.filter(({ hour }) => hour <= 9).length,
            timestamps: rows.map(({ hour }) => new Date(hour * HOUR_MS).toISOString()),
            predicted: rows.map(({ predicted }) => predicted),
            actual: rows.map(({ actual }) => actual ?? null),
            baseline: rows.map(() => 1),
          });
          expect(Array.from(judged!.rowOf, (row) => times[row])).toEqual(rows.map(({ hour }) => hour));
          expect(judged!.errors.mae).toBeCloseTo(sum(misses) / compared.length, 9);
        },
      ),
    );
  });

  it("forecasts naively from the rows known when the scenario was created, even if its model keeps later ones", async () => {
    const at = [...Array(10).keys()];
    const all = tableOf(at, at);
    const grid = { frequency: "PT1H", timezone: "UTC", start: 0 };
    const judged = await judgeScenario({
      points: { timestamps: hours([5, 6, 7, 8, 9]), prediction: new Float64Array(5) },
      bounds: { from: 0, lower: null, upper: null },
      known: { timestamp: "at", target: "y", grid, known: all },
      kept: all,
      keptUntil: 9 * HOUR_MS,
      knownUntil: 4 * HOUR_MS,
      learnedUntil: 9 * HOUR_MS,
      naive: {
        seasonal: { season: 1, horizon: 2 },
        series: { timestamp: "at", target: "y", grid },
      },
      areClasses: false,
      window: { maxPoints: 1_000 },
    });
    expect(judged!.baseline).toEqual([4, 4, 4, 4, 4]);
    expect(judged!.errors.baseline.mae).toBe(3);
  });
});
