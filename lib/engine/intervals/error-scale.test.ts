import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { checkFiles } from "#lib/engine/inference/check-files";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { dropColumns, numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { pack, unpack } from "#lib/engine/what-if/pack";
import { gaussian } from "#testing/gaussian";
import { load, number } from "#testing/sales-model";

const HOUR = 3_600_000;
const ROWS = 60 * 24;
const HORIZON = 72;

/** Hourly values whose noise is 1 at night and 20 by day, and twice as large on wet days. */
function hourly(): Table {
  const normal = gaussian(5);
  const wet = Float64Array.from({ length: ROWS + 480 }, (_, i) => (Math.floor(i / 24) % 3 === 0 ? 1 : 0));
  const y = wet.map((rain, i) => {
    const spread = (i % 24 < 6 ? 1 : 20) * (rain ? 2 : 1);
    return 200 + 50 * Math.sin((2 * Math.PI * (i % 24)) / 24) - 20 * rain + spread * normal();
  });
  const time = Float64Array.from(y, (_, i) => Date.UTC(2024, 0, 1) + i * HOUR);
  return {
    rowCount: y.length,
    columns: [{ name: "time", type: "timestamp", values: time }, number("wet", wet), number("y", y)],
  };
}

test("widths follow the hour and the inputs, so that each kind of row is covered, with the same bits in the page", async () => {
  const table = hourly();
  const request: TrainModel = { algorithm: "ridge", features: { lags: [] }, horizon: HORIZON };
  const input = { target: "y", timestamp: "time", request };
  const fitted = await fitModel({ ...input, table: sliceRows(table, 0, ROWS) });
  checkFiles(fitted.files);
  const model = await load(fitted);
  const test = sliceRows(table, ROWS);
  const inputs = dropColumns(test, ["y"]);
  const { predictions, intervals } = await model.predict(inputs, { include: { intervals: true } });
  const [actual, wet] = [numericValues(test, "y"), numericValues(test, "wet")];
  const kinds = [0, 1].flatMap((rain) => [true, false].map((night) => ({ rain, night })));
  const widths = kinds.map(({ rain, night }) => {
    const rows = [...actual.keys()].filter((row) => wet[row] === rain && row % 24 < 6 === night);
    const inside = rows.filter(
      (row) => actual[row]! >= intervals!.lower[row]! && actual[row]! <= intervals!.upper[row]!,
    );
    expect(inside.length / rows.length, `rain ${rain}, night ${night}`).toBeGreaterThan(0.78);
    return rows.reduce((sum, row) => sum + intervals!.upper[row]! - predictions[row]!, 0) / rows.length;
  });
  const [dryNight, dryDay, wetNight, wetDay] = widths as [number, number, number, number];
  expect(dryDay / dryNight).toBeGreaterThan(5);
  expect(wetDay / dryDay).toBeGreaterThan(1.4);
  expect(wetNight / dryNight).toBeGreaterThan(1.4);

  const live = predictorOf(unpack(pack(model.plain()).buffer))!;
  expect((await live(inputs, { include: { intervals: true } })).intervals).toEqual(intervals);
});
