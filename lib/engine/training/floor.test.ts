import { expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { DAY, load, number, START } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

test("bounds may be negative if only the first rows, which lack lags, were negative", async () => {
  const rows = 120;
  const lag = 20;
  const random = seededRandom(3);
  const values = Float64Array.from({ length: rows }, (_, i) => (i < lag ? -1 : 3) * random.next());
  const fitted = await fitModel({
    table: {
      rowCount: rows,
      columns: [
        {
          name: "day",
          type: "timestamp",
          values: Float64Array.from({ length: rows }, (_, i) => START + i * DAY),
        },
        number("y", values),
      ],
    },
    target: "y",
    timestamp: "day",
    request: { algorithm: "ridge", features: { lags: [1, lag] }, horizon: 14 },
  });
  const model = await load(fitted);
  expect(model.state.floor).toBeNull();
  const next = Float64Array.from({ length: 14 }, (_, i) => START + (rows + i) * DAY);
  const { intervals } = await model.predict(
    { rowCount: 14, columns: [{ name: "day", type: "timestamp", values: next }] },
    { include: { intervals: true } },
  );
  expect(intervals!.lower[13]).toBeLessThan(0);
});
