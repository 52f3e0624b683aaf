import { expect, test } from "vitest";
import type { TrainModel } from "#lib/contract/train-model";
import { readLearner } from "#lib/engine/inference/learner-file";
import { gaussian } from "#testing/gaussian";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const LENGTH = 84;
/** Months around 100 with a season, after changes. */
function months(changes: (value: number, month: number) => number) {
  const noise = gaussian(3);
  const values = Float64Array.from({ length: LENGTH }, (_, i) =>
    changes(100 + 20 * Math.sin((2 * Math.PI * i) / 12) + 2 * noise(), i),
  );
  const times = values.map((_, i) => Date.UTC(2015, i, 1));
  return {
    rowCount: LENGTH,
    columns: [{ name: "month", type: "timestamp" as const, values: times }, number("y", values)],
  };
}

const train = (table: ReturnType<typeof months>, request: TrainModel = {}) =>
  fitModel({
    table,
    target: "y",
    timestamp: "month",
    frequency: "P1M",
    request: { horizon: 12, ...request },
  });

async function forecast(fitted: Awaited<ReturnType<typeof train>>) {
  const next = Float64Array.from({ length: 12 }, (_, i) => Date.UTC(2015, LENGTH + i, 1));
  const table = { rowCount: 12, columns: [{ name: "month", type: "timestamp" as const, values: next }] };
  const { predictions, intervals } = await (await load(fitted)).predict(table, {
    include: { intervals: true },
  });
  return { predictions: [...predictions], width: intervals!.upper![0]! - intervals!.lower![0]! };
}

const typed = months((value, i) => (i === LENGTH - 1 ? 1e6 : value));

test("names a typing error, and forecasts as if the value were missing", async () => {
  const fitted = await train(typed);
  expect(fitted.summary.warnings).toMatchObject([
    { code: "ignored_values", column: "y", rows: 1, firstRow: LENGTH },
  ]);
  expect(fitted.summary.warnings![0]!.message).toContain(`row ${LENGTH} (1000000)`);
  const learner = readLearner(fitted.files.get("learner.json")!);
  expect(learner).toMatchObject({ kind: "series" });
  const { predictions, width } = await forecast(fitted);
  const usual = await forecast(await train(months((value) => value)));
  predictions.forEach((value, step) => {
    expect(Math.abs(value - usual.predictions[step]!)).toBeLessThan(6);
  });
  expect(width).toBeLessThan(2 * usual.width);
  // The stored series and its charts keep the value.
  expect(fitted.summary.validation!.actual).toContain(1e6);
});

test("learns from such a value if the caller says that it is real", async () => {
  const fitted = await train(typed, { outliers: "keep" });
  expect(fitted.summary.warnings).toEqual([]);
  expect((await forecast(fitted)).width).toBeGreaterThan(1_000);
});

test("bridges six months of closure, and believes a change that lasts", async () => {
  const closed = await train(months((value, i) => (i >= 50 && i < 56 ? 0.2 * value : value)));
  expect(closed.summary.warnings).toMatchObject([{ rows: 6, firstRow: 51 }]);
  const lasting = await train(months((value, i) => (i >= 72 ? 3 * value : value)));
  expect(lasting.summary.warnings).toEqual([]);
  for (const value of (await forecast(lasting)).predictions) expect(value).toBeGreaterThan(200);
});

test("finds nothing in noise, trends and steps", async () => {
  const noise = gaussian(11);
  for (const at of [
    (i: number) => i,
    (i: number) => 1.1 ** i,
    (i: number) => (i < 40 ? 5 : 50) + noise(),
    () => 7,
    () => noise(),
    (i: number) => (i % 12 === 11 ? 400 : 100) + noise(),
  ]) {
    const { summary } = await train(months((_, i) => at(i)));
    expect(summary.warnings).toEqual([]);
  }
});
