import { expect, test } from "vitest";
import type { Column } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { gaussian } from "#testing/gaussian";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;
const STEPS = 28;

/** Days of a random walk plus twice an input. */
function walk(rows: number, seed: number) {
  const noise = gaussian(seed);
  let level = 100;
  const days = Array.from({ length: rows }, () => {
    level += noise();
    const x = noise();
    return { x, y: level + 2 * x };
  });
  const column = (name: string, of: (day: number) => number): Column => ({
    name,
    type: name === "time" ? "timestamp" : "number",
    values: Float64Array.from(days, (_, day) => of(day)),
  });
  const columns = [
    column("time", (day) => day * DAY),
    column("x", (day) => days[day]!.x),
    column("y", (day) => days[day]!.y),
  ];
  return { rowCount: rows, columns };
}

test("a wandering series of more than two years with an input is not continued with a trend of rounding errors", async () => {
  const table = walk(800 + STEPS, 1);
  const { files } = await fitModel({
    table: sliceRows(table, 0, 800),
    target: "y",
    timestamp: "time",
    request: { algorithm: "combination", horizon: STEPS, features: { inputs: true } },
  });
  const model = await loadModel(async (name) => files.get(name)!);
  const later = sliceRows(table, 800);
  const { predictions } = await model.predict(selectColumns(later, ["time", "x"]));
  const errors = numericValues(later, "y").map((value, row) => Math.abs(value - predictions[row]!));
  // After 28 steps, the standard deviation of the walk is 5.3.
  expect(Math.max(...errors)).toBeLessThan(16);
});
