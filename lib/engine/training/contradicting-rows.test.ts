import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { gaussian } from "#testing/gaussian";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;
const LENGTH = 160;
const AHEAD = 8;

/** Weekly sales that fall with the price and rise tenfold with a promotion, after changes. */
function sales(
  promoted: (week: number) => boolean,
  changed: (value: number, week: number) => number = (value) => value,
): Table {
  const next = gaussian(5);
  const weeks = Array.from({ length: LENGTH + AHEAD }, (_, week) => week);
  const price = Float64Array.from(weeks, (week) => 5 + ((week * 7) % 5) / 5);
  const promo = Float64Array.from(weeks, (week) => (promoted(week) ? 1 : 0));
  const sold = Float64Array.from(weeks, (week) =>
    changed((200 - 20 * price[week]!) * (promo[week] ? 10 : 1) * Math.exp(0.03 * next()), week),
  );
  return {
    rowCount: weeks.length,
    columns: [
      { name: "week", type: "timestamp", values: Float64Array.from(weeks, (week) => 7 * DAY * week) },
      number("price", price),
      number("promo", promo),
      number("sales", sold),
    ],
  };
}

const learn = (table: Table, request: TrainModel = {}) =>
  fitModel({
    table: sliceRows(table, 0, LENGTH),
    target: "sales",
    timestamp: "week",
    frequency: "P7D",
    request: { horizon: AHEAD, ...request },
  });

async function forecast(fitted: Awaited<ReturnType<typeof learn>>, table: Table, history?: Table) {
  const model = await load(fitted);
  const { predictions } = await model.predict(dropColumns(sliceRows(table, LENGTH), ["sales"]), { history });
  return predictions;
}

const promotions = (week: number) => week % 9 === 4;
const usual = sales(promotions);

test.each([120, LENGTH - 1])(
  "a value × 100 in row %i of a series with inputs is named and not learned from",
  async (at) => {
    const typed = sales(promotions, (value, week) => (week === at ? 100 * value : value));
    const fitted = await learn(typed);
    expect(fitted.summary.warnings).toMatchObject([
      { code: "ignored_values", column: "sales", rows: 1, firstRow: at + 1 },
    ]);
    const expected = await forecast(await learn(usual), usual);
    const found = await forecast(fitted, usual);
    // The rows of the dataset, which keep the value, as history.
    const again = await forecast(fitted, usual, sliceRows(typed, 0, LENGTH));
    found.forEach((value, step) => {
      expect(Math.abs(value / expected[step]! - 1)).toBeLessThan(0.15);
      expect(Math.abs(again[step]! / expected[step]! - 1)).toBeLessThan(0.15);
    });
  },
);

test("the caller can say that the value was real", async () => {
  const typed = sales(promotions, (value, week) => (week === 120 ? 100 * value : value));
  expect((await learn(typed, { outliers: "keep", algorithm: "ridge" })).summary.warnings).toEqual([]);
});

test.each([
  ["promotions", promotions],
  ["two promotions", (week: number) => week === 40 || week === 99],
  ["the only promotion", (week: number) => week === 99],
])("peaks that the inputs explain are learned from: %s", async (_, promoted) => {
  expect((await learn(sales(promoted), { algorithm: "ridge" })).summary.warnings).toEqual([]);
});
