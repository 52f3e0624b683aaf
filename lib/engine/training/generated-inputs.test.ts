import { expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import { readJson } from "#lib/engine/inference/model-files";
import type { Calibration } from "#lib/engine/intervals/conformal";
import { gaussian } from "#testing/gaussian";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;

/** Days of a target that follows a random walk with a little noise. */
function days(count: number, hasWanderingInput: boolean): Table {
  const noise = gaussian(3);
  let level = 50;
  const input = Float64Array.from({ length: count }, (_, day) => {
    level += hasWanderingInput ? noise() : 0;
    // The first day differs, so the input does not follow from the date. All later days repeat exactly.
    return hasWanderingInput ? level : 50 + 10 * ((day % 7) - 3) + (day === 0 ? 1 : 0);
  });
  const columns: Column[] = [
    { name: "time", type: "timestamp", values: Float64Array.from({ length: count }, (_, day) => DAY * day) },
    { name: "x", type: "number", values: input },
    { name: "y", type: "number", values: input.map((value) => 100 + 5 * value + noise()) },
  ];
  return { rowCount: count, columns };
}

async function trained(hasWanderingInput: boolean) {
  const table = days(400, hasWanderingInput);
  const request = { algorithm: "ridge" as const, horizon: 14, features: { lags: [], rolling: [] } };
  const { files } = await fitModel({ table, target: "y", timestamp: "time", request });
  const calibration = readJson<Calibration>(files.get("calibration.json")!);
  return { model: await loadModel(async (name) => files.get(name)!), calibration };
}

const next = { rowCount: 14, columns: days(414, false).columns.slice(0, 2).map(lastRows) };
function lastRows(column: Column): Column {
  return column.type === "category" ? column : { ...column, values: column.values.slice(-14) };
}

test("intervals of generated inputs are wider by the errors of the inputs, and grow with the step", async () => {
  const { model } = await trained(true);
  const widths = async (generated: readonly string[]) => {
    const { predictions, intervals } = await model.predict(next, {
      generated,
      include: { intervals: true },
    });
    return intervals!.upper.map((bound, row) => bound - predictions[row]!);
  };
  const [given, generated] = [await widths([]), await widths(["x"])];
  expect(Math.max(...given)).toBeLessThan(4);
  expect(generated[0]!).toBeGreaterThan(2 * given[0]!);
  expect(generated[13]!).toBeGreaterThan(1.5 * generated[0]!);
});

test("inputs that repeat exactly add next to nothing", async () => {
  const { model } = await trained(false);
  const { predictions, intervals } = await model.predict(next, {
    generated: ["x"],
    include: { intervals: true },
  });
  const { squaresIfGiven, upper } = intervals!;
  const squares = upper.reduce((sum, bound, row) => sum + (bound - predictions[row]!) ** 2, 0);
  expect(squares / squaresIfGiven!).toBeCloseTo(1, 1);
});

test("a model without inputs has no widths for generated inputs", async () => {
  const { columns, rowCount } = days(200, true);
  const table = { rowCount, columns: columns.filter(({ name }) => name !== "x") };
  const { files } = await fitModel({ table, target: "y", timestamp: "time", request: { horizon: 14 } });
  expect(readJson<Calibration>(files.get("calibration.json")!).generated).toBeUndefined();
});
