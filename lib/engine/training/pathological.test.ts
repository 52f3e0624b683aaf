import { describe, expect, test } from "vitest";
import { createGrid } from "#lib/engine/features/grid";
import { gaussian } from "#testing/gaussian";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const START = Date.UTC(2000, 0, 1);

type Case = {
  name: string;
  frequency: string;
  values: number[];
  horizon: number;
  /** Standard deviation of the noise in the values. */
  noise?: number;
  /** Bounds of the forecasts, if they are known better than from the range of the past. */
  within?: [least: number, most: number];
  /** Whether the series leaves the range of its past at a steady rate. */
  grows?: boolean;
};

const range = (length: number, at: (i: number) => number) => Array.from({ length }, (_, i) => at(i));
const repeat = (length: number, value: number) => range(length, () => value);
const noisy = (length: number, spread: number, at: (i: number) => number, seed = length) => {
  const noise = gaussian(seed);
  return range(length, (i) => at(i) + spread * noise());
};
const replaced = (values: number[], at: number, value: number) =>
  values.map((old, i) => (i === at || i === values.length + at ? value : old));
const year = (i: number) => 20 * Math.sin((2 * Math.PI * i) / 12);
const week = [12, -4, -8, -3, 2, 9, -8];
const weeks = (length: number) => range(length, (i) => 100 + week[i % 7]!);
const walk = (length: number, seed: number) => {
  const noise = gaussian(seed);
  let level = 100;
  return range(length, () => {
    level += noise();
    return level;
  });
};

const monthly = (name: string, values: number[], more: Partial<Case> = {}): Case => ({
  name,
  frequency: "P1M",
  horizon: 12,
  values,
  ...more,
});
const daily = (name: string, values: number[], more: Partial<Case> = {}): Case => ({
  name,
  frequency: "P1D",
  horizon: 28,
  values,
  ...more,
});
const yearly = (name: string, values: number[], more: Partial<Case> = {}): Case => ({
  name,
  frequency: "P1Y",
  horizon: 6,
  values,
  ...more,
});

const seasonal = noisy(84, 3, (i) => 100 + year(i));
const dip = (from: number) => seasonal.map((value, i) => (i >= from && i < from + 6 ? 0.2 * value : value));

const cases: Case[] = [
  yearly("10 equal values", repeat(10, 7)),
  monthly("60 equal values", repeat(60, 250)),
  daily("400 equal values", repeat(400, -3)),
  monthly("all zero", repeat(40, 0)),
  yearly("10 zeros", repeat(10, 0)),
  daily("100 zeros, a spike, 20 zeros", [...repeat(100, 0), 50, ...repeat(20, 0)]),
  daily("190 equal values, then a change", [...repeat(190, 20), ...range(10, (i) => 25 + (i % 3))]),
  daily("190 equal values, then one other", [...repeat(190, 20), 21]),
  monthly("equal values, then zeros", [...repeat(40, 30), ...repeat(12, 0)]),
  monthly("zeros, then equal values", [...repeat(40, 0), ...repeat(12, 30)]),
  monthly("one value other than 0", replaced(repeat(30, 0), 3, 1)),
  yearly("falling fast at the end", [
    ...[5_210, 5_480, 5_610, 5_790, 5_830, 5_900, 5_940, 5_960],
    ...[5_997, 5_870, 4_121],
  ]),
  yearly("rising fast at the end", [100, 104, 99, 103, 101, 102, 98, 104, 100, 135]),
  yearly(
    "ten noisy values",
    noisy(10, 5, () => 100),
    { noise: 5 },
  ),
  yearly(
    "ten values on a line",
    range(10, (i) => 100 + 10 * i),
    { grows: true },
  ),
  yearly(
    "ten alternating values",
    range(10, (i) => (i % 2 ? 10 : 20)),
  ),
  yearly(
    "doubling every year",
    range(14, (i) => 2 ** i),
    { grows: true },
  ),
  yearly(
    "halving every year",
    range(14, (i) => 1e4 / 2 ** i),
  ),
  monthly(
    "falling 5% a month",
    range(60, (i) => 1_000 * 0.95 ** i),
  ),
  monthly(
    "growing 5% a month",
    range(60, (i) => 10 * 1.05 ** i),
    { grows: true },
  ),
  monthly("one typing error in the last month", replaced(seasonal, -1, 1e6), { within: [65, 135], noise: 3 }),
  monthly("the last month × 100", replaced(seasonal, -1, 100 * seasonal.at(-1)!), {
    within: [65, 135],
    noise: 3,
  }),
  monthly("the last month 0", replaced(seasonal, -1, 0), { within: [65, 135], noise: 3 }),
  monthly("one value × 100 in the middle", replaced(seasonal, 41, 9_800), { within: [65, 135], noise: 3 }),
  monthly("one value × −1 in the middle", replaced(seasonal, 41, -seasonal[41]!), {
    within: [65, 135],
    noise: 3,
  }),
  daily("one value × 100 in an exact week", replaced(weeks(300), 149, 10_800), { within: [90, 114] }),
  monthly("six months at 20%, two years before the end", dip(54), { within: [65, 135], noise: 3 }),
  monthly("six months at 20%, right before the end", dip(78), { noise: 3 }),
  monthly(
    "a lasting step",
    noisy(80, 2, (i) => (i < 50 ? 100 : 160)),
    { noise: 2 },
  ),
  monthly(
    "a lasting step in the last quarter",
    noisy(80, 2, (i) => (i < 77 ? 100 : 160)),
    { noise: 2 },
  ),
  daily("a random walk", walk(300, 5), { noise: 1 }),
  daily(
    "white noise",
    noisy(200, 4, () => 0),
    { noise: 4 },
  ),
  daily(
    "values of 1e12",
    noisy(200, 1e9, () => 1e12),
    { noise: 1e9 },
  ),
  daily(
    "values of 1e−9",
    noisy(200, 1e-10, () => 1e-9),
    { noise: 1e-10 },
  ),
  daily(
    "rare demand",
    range(200, (i) => (i % 17 === 3 ? 5 + (i % 4) : 0)),
  ),
  daily(
    "closed on Sundays",
    range(200, (i) => (i % 7 === 6 ? 0 : 50 + week[i % 7]!)),
  ),
  {
    ...monthly(
      "two years of quarters",
      range(10, (i) => 50 + 10 * (i % 4)),
    ),
    frequency: "P3M",
    horizon: 8,
  },
  {
    ...daily(
      "a day of hours",
      range(30, (i) => 5 + (i % 24)),
    ),
    frequency: "PT1H",
    horizon: 24,
  },
  {
    ...daily(
      "a noisy week of hours",
      noisy(400, 2, (i) => 40 + (i % 24)),
      { noise: 2 },
    ),
    frequency: "PT1H",
  },
  monthly(
    "ten months",
    noisy(10, 2, (i) => 50 + i),
    { noise: 2, grows: true },
  ),
];

describe("a strange series", () => {
  test.each(cases)("$name: is forecast near its past, with intervals that are wide enough", async (one) => {
    const { values, frequency, horizon, noise = 0, grows = false } = one;
    const sorted = values.toSorted((a, b) => a - b);
    const spread = sorted.at(-1)! - sorted[0]!;
    const [least, most] = one.within ?? [sorted[0]! - 2 * spread, sorted.at(-1)! + 2 * spread];
    const { timeAt } = createGrid({ frequency, timezone: "UTC", start: START });
    const times = (from: number, count: number) => ({
      name: "at",
      type: "timestamp" as const,
      values: Float64Array.from({ length: count }, (_, i) => timeAt(from + i)),
    });
    const table = { rowCount: values.length, columns: [times(0, values.length), number("y", values)] };
    const model = await load(
      await fitModel({ table, target: "y", timestamp: "at", frequency, request: { horizon } }),
    );
    const next = { rowCount: horizon, columns: [times(values.length, horizon)] };
    const { predictions, intervals } = await model.predict(next, { include: { intervals: true } });
    predictions.forEach((value, step) => {
      expect(Number.isFinite(value)).toBe(true);
      if (!grows) {
        expect(value).toBeGreaterThanOrEqual(least);
        expect(value).toBeLessThanOrEqual(most);
      }
      const [lower, upper] = [intervals!.lower![step]!, intervals!.upper![step]!];
      expect(lower).toBeLessThanOrEqual(value);
      expect(upper).toBeGreaterThanOrEqual(value);
      expect(upper - value).toBeGreaterThanOrEqual(noise);
    });
  });
});
