import { expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { categoryColumn } from "#testing/category-column";
import { stepsOfRows, whyNotJoined } from "./steps-of-rows.ts";

const rows = (regions: string[], times: number[]): Table => ({
  rowCount: times.length,
  columns: [
    { name: "date", type: "timestamp", values: Float64Array.from(times) },
    categoryColumn("region", regions),
  ],
});
const upstream = { timestamp: "date", grid: null, columns: ["region"] };

it("joins each row to the last step of its series that is not later", () => {
  const steps = rows(["south", "south", "north", "north"], [10, 20, 15, 25]);
  const table = rows(["north", "south", "south", "west", "north"], [20, 20, 99, 20, 14]);
  const times = Float64Array.of(20, 20, 99, 20, 14);
  expect([...stepsOfRows(steps, { times, table }, upstream)]).toEqual([2, 1, 1, -1, -1]);
});

it("joins by time alone if the upstream project has one series", () => {
  const steps = rows(["", ""], [10, 20]);
  const times = Float64Array.of(5, 10, 30, 12);
  const found = stepsOfRows(steps, { times, table: steps }, { ...upstream, columns: [] });
  expect([...found]).toEqual([-1, 0, 1, 0]);
});

it("needs the series columns of the upstream project", () => {
  const table = rows(["south"], [1]);
  expect(whyNotJoined(table, "temperature", ["region"])).toBeNull();
  expect(whyNotJoined(table, "temperature", ["region", "store"])).toContain('"store"');
});
