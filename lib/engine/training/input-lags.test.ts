import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { isLagged } from "#lib/engine/features/pipeline";
import { dropColumns, numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { gaussian } from "#testing/gaussian";
import { load, number } from "#testing/sales-model";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;
const LENGTH = 240;
const AHEAD = 14;
const request: TrainModel = { algorithm: "combination", features: { inputs: true } };

/** A level that wanders with the advertising of earlier days: half of its effect of 2 comes after 2 days, half after 3. */
function advertised(delayed: boolean): Table {
  const next = gaussian(7);
  const spent = Float64Array.from({ length: LENGTH }, () => 20 + 5 * next());
  let noise = 0;
  const sales = spent.map((own, day) => {
    noise = 0.6 * noise + next();
    const before = (steps: number) => spent[Math.max(0, day - steps)]!;
    return 100 + (delayed ? before(2) + before(3) : 2 * own) + noise;
  });
  return {
    rowCount: LENGTH,
    columns: [
      { name: "day", type: "timestamp", values: Float64Array.from(spent, (_, day) => DAY * day) },
      number("spent", spent),
      number("sales", sales),
    ],
  };
}

const learn = (table: Table) =>
  fitModel({
    table: sliceRows(table, 0, LENGTH - AHEAD),
    target: "sales",
    timestamp: "day",
    frequency: "P1D",
    request: { ...request, horizon: AHEAD },
  });

test("an effect that comes days later is found, and its rows are predicted within the noise", async () => {
  const table = advertised(true);
  const fitted = await learn(table);
  const [effect] = fitted.summary.effects!;
  expect(effect).toMatchObject({ unit: "target", change: { operation: "add", value: 10 }, warning: null });
  expect(effect!.effect).toBeGreaterThan(17);
  expect(effect!.effect).toBeLessThan(22);
  const model = await load(fitted);
  const test = sliceRows(table, LENGTH - AHEAD);
  const { predictions } = await model.predict(dropColumns(test, ["sales"]));
  const errors = numericValues(test, "sales").map((value, row) => Math.abs(value - predictions[row]!));
  expect(errors.reduce((sum, error) => sum + error, 0) / AHEAD).toBeLessThan(2);
  // Rows of the scenario change later ones.
  const more = {
    ...test,
    columns: test.columns.map((column) => (column.name === "spent" ? raised(column) : column)),
  };
  const { predictions: changed } = await model.predict(dropColumns(more as Table, ["sales"]));
  expect(changed[0]! - predictions[0]!).toBeLessThan(5);
  expect(changed[10]! - predictions[10]!).toBeGreaterThan(15);
});

const raised = (column: Table["columns"][number]) =>
  column.type === "category" ? column : { ...column, values: column.values.map((value) => value + 10) };

test("an effect of the same day gets no lags", async () => {
  const { summary } = await learn(advertised(false));
  const { steps } = summary.featureEngineering;
  expect(steps.filter((step) => isLagged(step as never))).toEqual([]);
});
