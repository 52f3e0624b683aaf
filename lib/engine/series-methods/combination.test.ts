import fc from "fast-check";
import { expect, test } from "vitest";
import { type Member, startCombination } from "./combination.ts";
import { fitMethod, METHODS } from "./methods.ts";

/** A series with a trend, a week and noise that depends on the seed. */
const series = (length: number, seed = 1) =>
  Float64Array.from(
    { length },
    (_, i) => 100 + 0.1 * i + [0, 4, 9, 3, 20, 41, 30][i % 7]! + 5 * Math.sin(seed * i * i),
  );

/** Fits all methods that suit the series, as if its first observation had the index `start`. */
const fitAll = (values: Float64Array, start = 0): Member[] =>
  METHODS.flatMap((method) => {
    const fit = fitMethod(method, values, [7]);
    return fit ? [{ parameters: fit.parameters, start: start + fit.skipped }] : [];
  });

const members = fitAll(series(150));
const expectClose = (a: Float64Array, b: Float64Array) =>
  a.forEach((value, i) => {
    expect(Math.abs(value - b[i]!)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
  });

test("continues from a stored snapshot as from the full series, from any index", () => {
  const gaps = fc.array(fc.nat(199), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 199 }), gaps, (cut, missing) => {
      const values = series(200);
      for (const at of missing) values[at] = Number.NaN;
      const whole = startCombination({ methods: members, mean: 0 });
      whole.advance({ values, firstIndex: 0 }, 200);
      const before = startCombination({ methods: members, mean: 0 });
      before.advance({ values, firstIndex: 0 }, cut);
      const stored = JSON.parse(JSON.stringify(before.snapshot())) as Member[];
      expect(stored.every(({ start }) => start === cut)).toBe(true);
      const after = startCombination({ methods: stored, mean: 0 });
      after.advance({ values: values.slice(cut), firstIndex: cut }, 200);
      expectClose(after.forecast(30).values, whole.forecast(30).values);
      expectClose(after.forecast(30).level, whole.forecast(30).level);
    }),
    { numRuns: 40 },
  );
});

test("keeps the phase of the season over a gap of any length, in one call or several", () => {
  for (const gap of [120_000, 120_003]) {
    const end = 150 + gap;
    const values = new Float64Array(end).fill(Number.NaN);
    values.set(series(150));
    const once = startCombination({ methods: members, mean: 0 });
    once.advance({ values, firstIndex: 0 }, end);
    const { values: forecast } = once.forecast(7);
    const peak = [...forecast].indexOf(Math.max(...forecast));
    expect((end + peak) % 7).toBe(5);
    const twice = startCombination({ methods: members, mean: 0 });
    twice.advance({ values, firstIndex: 0 }, 70_000);
    twice.advance({ values, firstIndex: 0 }, end);
    expect(twice.forecast(7)).toEqual(once.forecast(7));
  }
});

test("members do not take part before their start, and without members the given value is the forecast", () => {
  const late = members.map((member, i) => ({ ...member, start: 10 * (i + 1) }));
  const observed = { values: series(150), firstIndex: 0 };
  const combination = startCombination({ methods: late, mean: 123 });
  combination.advance(observed, 9);
  expect([...combination.forecast(2).values]).toEqual([123, 123]);
  expect([...combination.forecast(2).level]).toEqual([123, 123]);
  combination.advance(observed, 15);
  const alone = startCombination({ methods: [late[0]!], mean: 123 });
  alone.advance(observed, 15);
  expect(combination.forecast(5)).toEqual(alone.forecast(5));
  expect(combination.weights(5)).toEqual(
    [1, ...late.slice(1).map(() => 0)].map((one) => expect.closeTo(one)),
  );
});

test("is the median of the members, with the parts of the middle members and weights that add up to 1", () => {
  fc.assert(
    fc.property(fc.subarray(members, { minLength: 1 }), fc.integer({ min: 20, max: 150 }), (some, to) => {
      const observed = { values: series(150, 2), firstIndex: 0 };
      const start = (list: readonly Member[]) => {
        const made = startCombination({ methods: list, mean: 0 });
        made.advance(observed, to);
        return made;
      };
      const own = some.map((member) => start([member]).forecast(12));
      const combination = start(some);
      const { values, level } = combination.forecast(12);
      values.forEach((value, step) => {
        const sorted = own.map((one) => one.values[step]!).sort((a, b) => a - b);
        const half = sorted.length >> 1;
        expect(value).toBe(sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1]! + sorted[half]!) / 2);
        const levels = own.map((one) => one.level[step]!);
        expect(level[step]).toBeGreaterThanOrEqual(Math.min(...levels));
        expect(level[step]).toBeLessThanOrEqual(Math.max(...levels));
      });
      expect(combination.weights(12).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
    }),
    { numRuns: 30 },
  );
});

test.each(METHODS.filter((method) => method !== "tsb"))(
  "%s separates the season from the level",
  (method) => {
    const { parameters } = fitMethod(method, series(150), [7])!;
    const combination = startCombination({ methods: [{ parameters, start: 0 }], mean: 0 });
    combination.advance({ values: series(150), firstIndex: 0 }, 150);
    const { values, level } = combination.forecast(21);
    const season = values.map((value, step) => value - level[step]!);
    // The week has its peak on the sixth day and an amplitude of 41.
    expect(Math.max(...season) - Math.min(...season)).toBeGreaterThan(25);
    expect(season.indexOf(Math.max(...season)) % 7).toBe((5 - (150 % 7) + 7) % 7);
    const week = season.subarray(7, 14).reduce((sum, value) => sum + value, 0);
    expect(Math.abs(week / 7)).toBeLessThan(3);
  },
);
