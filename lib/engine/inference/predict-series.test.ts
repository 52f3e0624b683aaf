import fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { knownSeries } from "#lib/engine/forecasting/known-series";
import { fitMethod, METHODS } from "#lib/engine/series-methods/methods";
import type { SeriesLearner } from "./learner.ts";
import { continuedFrom, seriesPredictor } from "./predict-series.ts";

const DAY = 86_400_000;
const LENGTH = 150;
const grid = { frequency: "P1D", timezone: "UTC", start: 0 };
const pipeline: FeaturePipeline = {
  version: 1,
  target: "y",
  timestamp: "t",
  timezone: "UTC",
  grid,
  steps: [{ op: "number", feature: "promo", center: 0, scale: 1 }],
};
const promoOf = (i: number) => (i % 5 === 0 ? 1 : 0);
const yOf = (i: number) => 50 + 0.2 * i + [0, 4, 9, 3, 20, 41, 30][i % 7]! + 3 * Math.sin(i * i);
const column = (name: string, type: "number" | "timestamp", values: number[]) => ({
  name,
  type,
  values: Float64Array.from(values),
});
const tableOf = (days: readonly number[]): Table => ({
  rowCount: days.length,
  columns: [
    column(
      "t",
      "timestamp",
      days.map((day) => day * DAY),
    ),
    column("promo", "number", days.map(promoOf)),
    column(
      "y",
      "number",
      days.map((day) => yOf(day) + 10 * promoOf(day)),
    ),
  ],
});
const days = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const knownOf = (from: number, to: number) =>
  knownSeries(tableOf(days(from, to)), { timestamp: "t", target: "y", grid });

/** Methods fitted from `start` on, with the true effect of the promotion. */
const learnerFrom = (start: number): SeriesLearner => ({
  kind: "series",
  methods: METHODS.flatMap((method) => {
    const fit = fitMethod(method, Float64Array.from(days(start, LENGTH), yOf), [7]);
    return fit ? [{ parameters: fit.parameters, start: start + fit.skipped }] : [];
  }),
  inputs: {
    kind: "linear",
    coefficients: Float64Array.of(10),
    intercept: -2,
    means: Float64Array.of(0.2),
  },
  mean: 75,
});

const horizon = 14;
const learner = learnerFrom(0);
const late = learnerFrom(60);

test("predicts each row independently of the other rows and of earlier calls, inside and after the known rows", () => {
  const row = fc.integer({ min: -20, max: LENGTH + 60 });
  const predict = seriesPredictor({ pipeline, learner, horizon });
  const known = knownOf(0, LENGTH);
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (list) => {
      const together = predict(tableOf(list), known).predictions;
      list.forEach((one, at) => {
        const alone = seriesPredictor({ pipeline, learner, horizon })(tableOf([one]), known);
        expect(alone.predictions[0]).toBe(together[at]);
      });
    }),
    { numRuns: 40 },
  );
});

test("processes the known rows once for rows after them", () => {
  const predict = seriesPredictor({ pipeline, learner, horizon });
  const known = knownOf(0, LENGTH);
  const next = tableOf(days(LENGTH, LENGTH + 5));
  const { predictions } = predict(next, known);
  known.observed.fill(Number.NaN);
  expect(predict(next, known).predictions).toEqual(predictions);
  // Other known rows are another series.
  expect(predict(next, knownOf(0, LENGTH - 1)).predictions).not.toEqual(predictions);
});

test("rows before the start of every method get the mean and the part of the inputs, with a warning", () => {
  const predict = seriesPredictor({ pipeline, learner: late, horizon });
  const known = knownOf(0, LENGTH);
  const early = days(0, 40);
  const { predictions, past, rowsWithoutHistory } = predict(tableOf(early), known);
  expect(rowsWithoutHistory).toBe(40);
  expect(new Set(past!.values)).toEqual(new Set([75]));
  early.forEach((day, row) => {
    expect(predictions[row]).toBeCloseTo(75 + 10 * promoOf(day) - 2, 6);
  });
  const last = predict(tableOf(days(LENGTH - 5, LENGTH + 5)), known);
  expect(last.rowsWithoutHistory).toBe(0);
});

test("rows between the starts of two methods use the methods that have started, with a warning", () => {
  const mixed = { ...learner, methods: [learner.methods[0]!, ...late.methods.slice(1)] };
  const known = knownOf(0, LENGTH);
  const rows = tableOf(days(30, 36));
  const { predictions, rowsWithoutHistory } = seriesPredictor({ pipeline, learner: mixed, horizon })(
    rows,
    known,
  );
  expect(rowsWithoutHistory).toBe(6);
  const first = { ...learner, methods: [learner.methods[0]!] };
  expect(seriesPredictor({ pipeline, learner: first, horizon })(rows, known).predictions).toEqual(
    predictions,
  );
});

test("a learner continued from a later index predicts the same from the rows after it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LENGTH - 1 }), (cut) => {
      const shortened = continuedFrom({ pipeline, learner }, knownOf(0, LENGTH), cut);
      const rows = tableOf(days(LENGTH, LENGTH + 20));
      const whole = seriesPredictor({ pipeline, learner, horizon })(rows, knownOf(0, LENGTH));
      const part = seriesPredictor({ pipeline, learner: shortened, horizon })(rows, knownOf(cut, LENGTH));
      part.predictions.forEach((value, row) => {
        expect(value).toBeCloseTo(whole.predictions[row]!, 8);
      });
    }),
    { numRuns: 20 },
  );
  expect(continuedFrom({ pipeline, learner: late }, knownOf(0, LENGTH), 20)).toBe(late);
});
