import { expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import { differenceInterval } from "#lib/engine/intervals/difference-interval";
import { CellSums, cellsOf } from "#lib/engine/intervals/stored-totals";
import { sliceRows } from "#lib/engine/table/rows";
import { gaussian } from "#testing/gaussian";
import { fitModel } from "./fit-model.ts";

const ROWS = 300;
const STEPS = 28;
const EFFECT = 2;

/** Days whose target follows an input at once, with errors that fade; lags of the target carry both. */
function days(): Table {
  const noise = gaussian(5);
  let [input, error] = [0, 0];
  const all = Array.from({ length: ROWS + STEPS }, (_, day) => {
    input = 0.7 * input + noise();
    error = 0.5 * error + noise();
    return { x: 20 + input, y: 100 + EFFECT * input + 0.02 * day + error };
  });
  const column = (name: string, of: (day: number) => number): Column => ({
    name,
    type: name === "time" ? "timestamp" : "number",
    values: Float64Array.from(all, (_, day) => of(day)),
  });
  const columns = [
    column("time", (day) => day * 86_400_000),
    column("x", (day) => all[day]!.x),
    column("y", (day) => all[day]!.y),
  ];
  return { rowCount: ROWS + STEPS, columns };
}

test("members of a model with lags differ in whether lags carry the effect of an input, and cover the true one", async () => {
  const all = days();
  const { files } = await fitModel({
    table: sliceRows(all, 0, ROWS),
    target: "y",
    timestamp: "time",
    request: { algorithm: "ridge", horizon: STEPS, features: { lags: [1, 7], rolling: [] } },
  });
  const model = await loadModel(async (name) => files.get(name)!);
  const members = (await model.members())!;
  const later = sliceRows(all, ROWS);
  const rows = { ...later, columns: later.columns.filter(({ name }) => name !== "y") };
  const raised: Table = {
    ...rows,
    columns: rows.columns.map((column) =>
      column.name === "x" && column.type === "number"
        ? { ...column, values: column.values.map((value) => value + 1) }
        : column,
    ),
  };
  const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
  const side = async (table: Table) => {
    const byMember = await members.predict(table, undefined);
    const cells = cellsOf(STEPS);
    const prefixes = byMember.map((values) => {
      const sums = new CellSums(cells);
      sums.add(values);
      return sums.prefix;
    });
    const { predictions } = await model.predict(table);
    return {
      byMember: byMember.map(sum),
      total: sum(predictions),
      side: { totals: { ...cells, squares: null, members: prefixes }, rows: { from: 0, to: STEPS } },
    };
  };
  const [before, after] = [await side(rows), await side(raised)];

  const differences = after.byMember.map((value, member) => value - before.byMember[member]!);
  const meanOf = (rest: number) => sum(Float64Array.from(differences.filter((_, i) => i % 2 === rest))) / 10;
  expect(Math.abs(meanOf(1) - EFFECT * STEPS)).toBeLessThan(6);
  expect(meanOf(0)).toBeGreaterThan(meanOf(1) + 3);
  const served = after.total - before.total;
  const { lower, upper } = differenceInterval(served, after.side, before.side)!.totalDifferenceInterval;
  expect(lower).toBeLessThan(EFFECT * STEPS);
  expect(upper).toBeGreaterThan(EFFECT * STEPS);
});
