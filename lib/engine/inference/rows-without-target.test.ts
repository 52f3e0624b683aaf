import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { load, number } from "#testing/sales-model";

const DAY = 86_400_000;
const KNOWN = 150;
const AHEAD = 10;

/** A trend with a weekly season and an input; the last rows have only the input. */
function rowsOf(length: number): Table {
  const days = Array.from({ length }, (_, day) => day);
  const y = (day: number) => 100 + 0.5 * day + 10 * Math.sin(day / 5) + 5 * ((3 * day) % 7);
  return {
    rowCount: length,
    columns: [
      { name: "t", type: "timestamp", values: Float64Array.from(days, (day) => DAY * day) },
      number(
        "x",
        Float64Array.from(days, (day) => (day * day) % 5),
      ),
      number(
        "y",
        Float64Array.from(days, (day) => (day < KNOWN ? y(day) + ((day * day) % 5) : Number.NaN)),
      ),
    ],
  };
}

test.each<TrainModel>([
  { algorithm: "ridge", features: { lags: [1, 2, 7] } },
  { algorithm: "gradient_boosting", features: { lags: [1, 7] }, hyperparameters: { rounds: 30 } },
  { algorithm: "combination" },
])(
  "$algorithm forecasts from the last known target, not from later rows that only have inputs",
  async (request) => {
    const history = rowsOf(KNOWN + AHEAD);
    const model = await load(await fitModel({ table: history, target: "y", timestamp: "t", request }));
    const asked = dropColumns(sliceRows(rowsOf(KNOWN + AHEAD + 3), KNOWN), ["y"]);
    const include = { intervals: true };
    const expected = await model.predict(asked, { include });
    expect(await model.predict(asked, { history, include })).toEqual(expected);
    // Rows in between are read from the known rows.
    const later = await model.predict(sliceRows(asked, AHEAD), { history, include });
    expect(later.predictions).toEqual(expected.predictions.slice(AHEAD));
    expect(later.intervals!.upper).toEqual(expected.intervals!.upper.slice(AHEAD));
  },
);
