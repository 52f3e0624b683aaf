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

const level = (columns: string[], count: number, within: string[] = []) => ({
  name: columns.join(),
  columns,
  count,
  within,
});
const series = {
  columns: ["store", "item"],
  count: 50,
  levels: [
    level([], 1),
    level(["store"], 10, ["region"]),
    level(["item"], 5),
    level(["region"], 2),
    level(["store", "item"], 50),
  ],
  minRows: 1,
  maxRows: 2,
  ended: 0,
  short: 0,
};
const columns = [
  { name: "region", within: [] },
  { name: "item", within: [] },
  { name: "store", within: ["region"] },
];
const all = { where: [], by: null };

it("orders the columns from few groups to many", () => {
  expect(panelColumns(series)).toEqual(columns);
  expect(panelColumns(null)).toEqual([]);
});

it("leads from all series to one and back", () => {
  const south = openGroup(all, { column: "region", value: "south" }, columns);
  expect(south).toEqual({ where: ["region:south"], by: null });
  expect(splitBy({ ...south, by: "item" }, columns)).toBe("item");
  const store = openGroup({ ...south, by: "item" }, { column: "store", value: "A: 1" }, columns);
  expect(stepsOf(store, columns)).toEqual([
    { column: "region", value: "south" },
    { column: "store", value: "A: 1" },
  ]);
  expect(splitColumns(store, columns)).toEqual(["item"]);
  expect(backTo(store, 1, columns)).toEqual(south);
  expect(backTo(store, 0, columns)).toEqual(all);
});

it("opens a group by the next finer column, otherwise by the one with the fewest groups", () => {
  const placed = (name: string, ...within: string[]) => ({ name, within });
  // From few groups to many: there are fewer items than towns and stores.
  const levels = [
    placed("region"),
    placed("kind"),
    placed("item", "kind"),
    placed("town", "region"),
    placed("store", "region", "town"),
  ];
  const opened = (...columns: string[]) =>
    splitBy({ where: columns.map((name) => `${name}:1`), by: null }, levels);
  expect(opened()).toBe("region");
  expect(opened("region")).toBe("town");
  expect(opened("region", "town")).toBe("store");
  expect(opened("region", "town", "store")).toBe("kind");
  expect(opened("region", "kind")).toBe("item");
  expect(opened("region", "item")).toBe("town");
  // The region of a store is one group, and so is the kind of an item.
  expect(opened("store")).toBe("kind");
  expect(splitColumns({ where: ["store:1", "item:1"] }, levels)).toEqual([]);
});

it("opens a group by the column with the fewest groups if a dataset does not state which lie within others", () => {
  const earlier = panelColumns({ ...series, levels: series.levels.map(({ within: _, ...rest }) => rest) });
  expect(splitBy({ where: ["region:south"], by: null }, earlier)).toBe("item");
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
