import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { forecastNaively, naiveModelName, naiveOf } from "./naive-of.ts";

const DAY = 86_400_000;
const grid = { frequency: "P1D", timezone: "UTC", start: 0 };
const week = [5, 9, 1, 7, 3, 8, 2];

const dailyRows = (valueAt: (day: number) => number, count: number): Table => ({
  rowCount: count,
  columns: [
    { name: "day", type: "timestamp", values: Float64Array.from({ length: count }, (_, day) => day * DAY) },
    { name: "sales", type: "number", values: Float64Array.from({ length: count }, (_, day) => valueAt(day)) },
  ],
});

/** Returns the parts of a model that `naiveOf` reads. */
function modelOf(state: Partial<OpenModel["state"]>, history: Table | null): OpenModel {
  const series = { timestamp: "day", target: "sales", grid, horizon: 7, validationRows: 14 };
  const model: Partial<OpenModel> = { state: { ...series, ...state } as OpenModel["state"], history };
  return model as OpenModel;
}

const next = (count: number) => Float64Array.from({ length: 3 }, (_, i) => (count + i) * DAY);

test("chooses the naive forecast of a version 1 model again, from the rows before its validation rows", () => {
  // The validation rows are constant, and would choose the last value.
  const history = dailyRows((day) => (day < 56 ? week[day % 7]! : 100), 70);
  const naive = naiveOf(modelOf({ version: 1 }, history));
  expect(naiveModelName(naive)).toBe("seasonal naive, 7 steps");
  const known = dailyRows((day) => week[day % 7]!, 70);
  expect([...forecastNaively(naive, known, next(70))]).toEqual([5, 9, 1]);
});

test("uses the mean of the training rows for a version 1 model without a regular series", () => {
  const history = dailyRows((day) => (day < 56 ? [1, Number.NaN, 3][day % 3]! : 100), 70);
  const naive = naiveOf(modelOf({ version: 1, grid: null, horizon: null }, history));
  expect(naiveModelName(naive)).toBe("mean");
  // 56 rows: 19 ones, 19 missing values and 18 threes.
  expect([...forecastNaively(naive, history, next(70))]).toEqual(Array(3).fill((19 + 3 * 18) / 37));
});

test("uses the stored naive forecast of a version 2 model", () => {
  const history = dailyRows((day) => day, 70);
  const mean = naiveOf(modelOf({ version: 2, naive: { mean: 4.5 } }, history));
  expect([naiveModelName(mean), ...forecastNaively(mean, history, next(70))]).toEqual([
    "mean",
    4.5,
    4.5,
    4.5,
  ]);
  const last = naiveOf(modelOf({ version: 2, naive: { seasonal: { season: 1, horizon: 7 } } }, history));
  expect(naiveModelName(last)).toBe("last value");
  expect([...forecastNaively(last, history, next(70))]).toEqual([69, 69, 69]);
});

test("returns no values for a model without times or without its history", () => {
  const history = dailyRows((day) => day, 20);
  for (const model of [modelOf({ timestamp: null }, history), modelOf({}, null)]) {
    const naive = naiveOf(model);
    expect(naiveModelName(naive)).toBeNull();
    expect([...forecastNaively(naive, history, next(20))]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  }
});
