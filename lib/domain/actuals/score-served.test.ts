import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServedRows } from "./compare-rows.ts";
import { scoreServed } from "./score-served.ts";

const DAY_MS = 86_400_000;
const days = (values: readonly number[]) => Float64Array.from(values, (day) => day * DAY_MS);
const grid = { frequency: "P1D", timezone: "UTC", start: 0 };
/** One actual value a day from day 0; null: unknown. */
const knownOf = (actual: readonly (number | null)[]) => {
  const rows = actual.flatMap((value, day) => (value === null ? [] : [{ value, day }]));
  return {
    rowCount: rows.length,
    columns: [
      { name: "at", type: "timestamp" as const, values: days(rows.map(({ day }) => day)) },
      { name: "y", type: "number" as const, values: Float64Array.from(rows, ({ value }) => value) },
    ],
  };
};
/** A run that knew the rows up to a day and predicted the days after it. */
const runOf = (
  knownUntil: number,
  calculated: readonly number[],
  { effective = calculated, overrideOf = calculated.map(() => -1), half = 5, checkpoint = 0 } = {},
): ServedRows => ({
  checkpoint,
  knownUntil: knownUntil * DAY_MS,
  times: days(calculated.map((_, step) => knownUntil + 1 + step)),
  effective: Float64Array.from(effective),
  calculated: Float64Array.from(calculated),
  lower: Float64Array.from(effective, (value) => value - half),
  upper: Float64Array.from(effective, (value) => value + half),
  overrideOf: Int32Array.from(overrideOf),
  panel: null,
});
const score = (
  actual: readonly (number | null)[],
  runs: ServedRows[],
  overrides: { author: string; reason: string }[] = [],
) =>
  scoreServed({
    runs,
    known: knownOf(actual),
    timestamp: "at",
    target: "y",
    grid,
    naive: { seasonal: { season: 1, horizon: 1 }, series: { timestamp: "at", target: "y", grid } },
    areClasses: false,
    checkpoints: ["First", "Second", "Third"],
    overrides,
    maxPoints: 1_000,
  });

const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 30 });
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

describe("scoreServed", () => {
  it("compares each run with what came after the rows that it knew, on the rows of the naive forecast", async () => {
    const known = fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { minLength: 2, maxLength: 40 });
    const runs = fc.array(fc.tuple(fc.integer({ min: 0, max: 39 }), values), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(known, runs, async (actual, made) => {
        const compared = made.flatMap(([until, predicted]) => {
          const last = actual.slice(0, until + 1).findLast((value) => value !== null);
          return predicted.flatMap((value, at) => {
            const came = actual[until + 1 + at];
            return last == null || came == null
              ? []
              : [{ step: at + 1, error: value - came, naive: Math.abs(last - came) }];
          });
        });
        const scored = await score(
          actual,
          made.map(([until, predicted]) => runOf(until, predicted)),
        );
        // Without a naive forecast of any row, the others are compared all the same.
        if (compared.length === 0) return;
        expect(scored!.errors).toMatchObject({
          rows: compared.length,
          coverage: compared.filter(({ error }) => Math.abs(error) <= 5).length / compared.length,
        });
        expect(scored!.errors!.bias).toBeCloseTo(mean(compared.map(({ error }) => error)), 9);
        expect(scored!.errors!.baseline.mae).toBeCloseTo(mean(compared.map(({ naive }) => naive)), 9);
        for (const horizon of scored!.horizons) {
          const own = compared.filter(({ step }) => step >= horizon.fromStep && step <= horizon.toStep);
          expect(horizon.rows).toBe(own.length);
          expect(horizon.mae).toBeCloseTo(mean(own.map(({ error }) => Math.abs(error))), 9);
        }
        const rowsOf = (parts: readonly { rows: number }[]) => parts.reduce((sum, { rows }) => sum + rows, 0);
        expect(rowsOf(scored!.horizons)).toBe(compared.length);
        expect(rowsOf(scored!.periods)).toBe(compared.length);
      }),
    );
  });

  it("draws the last forecast of each time", async () => {
    const scored = await score([1, 2, 3, 4], [runOf(0, [10, 20, 30]), runOf(1, [21, 31])]);
    expect(scored).toMatchObject({
      runs: 2,
      predicted: [10, 21, 31],
      actual: [2, 3, 4],
      baseline: [1, 2, 2],
    });
    expect(scored!.horizons.map(({ toStep, rows, mae }) => [toStep, rows, mae])).toEqual([
      [1, 2, 13],
      [2, 2, 22],
      [3, 1, 26],
    ]);
  });

  it("draws the run that ended last of those that knew the same rows", async () => {
    expect(await score([1, 2], [runOf(0, [10]), runOf(0, [20])])).toMatchObject({ predicted: [20] });
  });

  it("compares checkpoints with the newest one on times that both predicted from as many steps before", async () => {
    const actual = Array<number>(10).fill(0);
    const scored = await score(actual, [
      runOf(2, [9, 9, 9]),
      runOf(0, [1, 2, 3], { checkpoint: 1 }),
      runOf(2, [4, 5], { checkpoint: 1 }),
      runOf(3, [7], { checkpoint: 2 }),
      runOf(2, [6, 8, 7, 7, 7], { checkpoint: 2 }),
    ]);
    expect(scored).toMatchObject({
      newestCheckpoint: "Third",
      checkpoints: [
        { label: "First", rows: 3, own: { mae: 9 }, newest: { mae: 7 } },
        { label: "Second", rows: 2, own: { mae: 4.5 }, newest: { mae: 7 } },
      ],
    });
  });

  it("groups many steps ahead by doubling spans", async () => {
    const scored = await score(Array(20).fill(1), [runOf(0, Array(17).fill(1))]);
    expect(scored!.horizons.map(({ fromStep, toStep, rows }) => [fromStep, toStep, rows])).toEqual([
      [1, 1, 1],
      [2, 2, 1],
      [3, 4, 2],
      [5, 8, 4],
      [9, 16, 8],
      [17, 32, 1],
    ]);
  });

  it("returns null if no actual value has come", async () => {
    expect(await score([1, 2], [runOf(1, [3])])).toBeNull();
    expect(await score([1, 2], [])).toBeNull();
  });

  it("scores overridden rows with the override, without it and naively, by author, reason and period", async () => {
    const facts = [
      { author: "ann", reason: "Fair" },
      { author: "bo", reason: "Fair" },
    ];
    const calculated = [10, 10, 10, Number.NaN];
    const run = runOf(0, calculated, { effective: [10, 16, 11, 9], overrideOf: [-1, 0, 1, 1] });
    const { overrides } = (await score([1, 12, 12, 12, 12], [run], facts))!;
    const of = (mae: number) => ({ rmse: expect.any(Number), mae });
    // The row without a calculated value is not compared.
    expect(overrides).toMatchObject({
      rows: 2,
      effective: of(2.5),
      calculated: of(2),
      baseline: of(11),
      authors: [
        { author: "ann", rows: 1, effective: of(4), calculated: of(2) },
        { author: "bo", rows: 1, effective: of(1), calculated: of(2) },
      ],
      reasons: [{ reason: "Fair", rows: 2 }],
    });
    expect(overrides!.periods.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
    expect((await score([1, 12], [runOf(0, [10])]))!.overrides).toBeNull();
  });
});
