import { expect, it } from "vitest";
import { queryOf, whereParams } from "#components/api/query-of.ts";
import { model } from "#testing/recorded-answers";
import {
  backTo,
  combineParams,
  openGroup,
  panelColumns,
  splitBy,
  splitColumns,
  stepsOf,
  weightColumns,
} from "./panel-state.ts";

const level = (columns: string[], count: number) => ({ name: columns.join(), columns, count });
const series = {
  columns: ["store", "item"],
  count: 50,
  levels: [
    level([], 1),
    level(["store"], 10),
    level(["item"], 5),
    level(["region"], 2),
    level(["store", "item"], 50),
  ],
  minRows: 1,
  maxRows: 2,
  ended: 0,
  short: 0,
};
const columns = ["region", "item", "store"];
const all = { where: [], by: null };

it("orders the columns from few groups to many", () => {
  expect(panelColumns(series)).toEqual(columns);
  expect(panelColumns(null)).toEqual([]);
});

it("leads from all series to one and back", () => {
  const south = openGroup(all, { column: "region", value: "south" }, columns);
  expect(south).toEqual({ where: ["region:south"], by: null });
  expect(splitBy(south, columns)).toBe("item");
  expect(splitBy({ ...south, by: "store" }, columns)).toBe("store");
  const store = openGroup({ ...south, by: "store" }, { column: "store", value: "A: 1" }, columns);
  expect(stepsOf(store, columns)).toEqual([
    { column: "region", value: "south" },
    { column: "store", value: "A: 1" },
  ]);
  expect(splitColumns(store, columns)).toEqual(["item"]);
  expect(backTo(store, 1, columns)).toEqual(south);
  expect(backTo(store, 0, columns)).toEqual(all);
});

it("has nothing to split once every column is chosen", () => {
  const one = { where: ["region:south", "item:1", "store:A"], by: "store" };
  expect(splitBy(one, columns)).toBeNull();
});

it("is written as parameters of the API", () => {
  const where = ["store:A&B", "region:south"];
  expect(whereParams(where)).toBe("&where=store%3AA%26B&where=region%3Asouth");
  expect(queryOf({ by: "item", where })).toBe("by=item&where=store%3AA%26B&where=region%3Asouth");
});

it("offers numeric inputs without negative values that all models read as weights", () => {
  const [feature] = model.inputFeatures;
  const input = (name: string, rest: object) => ({
    ...feature!,
    name,
    type: "number" as const,
    role: "input" as const,
    min: 0,
    max: 9,
    ...rest,
  });
  const first = {
    inputFeatures: [
      input("customers", {}),
      input("price", { min: 1 }),
      input("temperature", { min: -8 }),
      input("closed", { max: 0 }),
      input("store", { type: "category", min: null, max: null }),
      input("demand", { role: "upstream" }),
      input("day", { role: "timestamp", type: "timestamp" }),
    ],
  };
  expect(weightColumns([first])).toEqual(["customers", "price"]);
  expect(weightColumns([first, { inputFeatures: [input("price", {})] }])).toEqual(["price"]);
  expect(weightColumns([])).toEqual([]);
});

it("weighs means only, by a column that can weigh them", () => {
  const weighted = { combine: "mean" as const, weight: "customers" };
  expect(combineParams(weighted, undefined)).toEqual(weighted);
  expect(combineParams(weighted, ["customers"])).toEqual(weighted);
  expect(combineParams(weighted, ["price"])).toEqual({ combine: "mean" });
  expect(combineParams({ ...weighted, combine: "sum" }, ["customers"])).toEqual({});
});
