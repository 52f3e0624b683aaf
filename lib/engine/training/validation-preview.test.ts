import { expect, it } from "vitest";
import { limits } from "#lib/contract/limits";
import { fitModel } from "./fit-model.ts";
import { validationPreview } from "./validation-preview.ts";

const DAY_MS = 86_400_000;
const first = Date.UTC(2024, 0, 1);

it("shows the raw values of rows that training left out, at their times and without a prediction", () => {
  const preview = validationPreview(
    Int32Array.of(11, 13),
    Float64Array.of(1, 3),
    Float64Array.of(2, 2),
    Float64Array.of(first, first + 2 * DAY_MS),
    [
      { number: 4, value: 900, time: first - 7 * DAY_MS },
      { number: 12, value: 1e6, time: first + DAY_MS },
      { number: 13, value: 3, time: first + 2 * DAY_MS },
    ],
  );
  expect(preview).toEqual({
    timestamps: ["2024-01-01T00:00:00.000Z", "2024-01-02T00:00:00.000Z", "2024-01-03T00:00:00.000Z"],
    rows: [11, 12, 13],
    actual: [1, 1e6, 3],
    predicted: [2, null, 2],
    residuals: [-1, null, 1],
    treated: [12, 13],
  });
});

it("shows all treated rows of many", () => {
  const rows = Int32Array.from({ length: 5_000 }, (_, at) => at + 1);
  const times = Float64Array.from(rows, (row) => first + row * DAY_MS);
  const values = Float64Array.from(rows);
  const treated = [{ number: 4_999, value: 4_999, time: times[4_998]! }];
  const preview = validationPreview(rows, values, values, times, treated);
  expect(preview.treated).toEqual([4_999]);
  expect(preview.rows).toContain(4_999);
  expect(preview.rows.length).toBeLessThanOrEqual(limits.validationPoints);
  expect(preview.rows).toEqual(preview.rows.toSorted((a, b) => a - b));
});

it.each([
  ["without inputs", false],
  ["with inputs", true],
])("a model %s keeps a typing error in its validation rows, marked as treated", async (_, withInputs) => {
  const count = 200;
  const price = Float64Array.from({ length: count }, (_, row) => 10 + ((row * 7) % 5));
  const noise = (row: number) => ((row * 7_919) % 13) / 13;
  const sales = Float64Array.from(
    { length: count },
    (_, row) => 200 + 10 * (row % 7) - 5 * (price[row]! - 10) + noise(row),
  );
  sales[190] = 1e6;
  const day = Float64Array.from({ length: count }, (_, row) => first + row * DAY_MS);
  const { summary } = await fitModel({
    table: {
      rowCount: count,
      columns: [
        { name: "day", type: "timestamp", values: day },
        { name: "sales", type: "number", values: sales },
        ...(withInputs ? [{ name: "price", type: "number" as const, values: price }] : []),
      ],
    },
    target: "sales",
    timestamp: "day",
  });
  const { rows, actual, treated } = summary.validation!;
  expect(treated).toEqual([191]);
  expect(actual[rows.indexOf(191)]).toBe(1e6);
});
