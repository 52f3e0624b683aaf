import { expect, it } from "vitest";
import type { CategoryColumn } from "#lib/contract/table";
import { fillLevels, levelsOf } from "./fill-levels.ts";

const column = (name: string, values: readonly string[]): CategoryColumn => {
  const categories = [...new Set(values)].filter((value) => value !== "");
  return {
    name,
    type: "category",
    codes: Int32Array.from(values, (value) => categories.indexOf(value)),
    categories,
  };
};
const texts = ({ codes, categories }: CategoryColumn) =>
  Array.from(codes, (code) => categories[code] ?? null);

it("adds absent level columns with the levels of known series", () => {
  const known = {
    rowCount: 3,
    columns: [
      column("store", ["A", "B", "A"]),
      column("region", ["south", "north", "west"]),
      column("size", ["", "large", ""]),
    ],
  };
  const levels = levelsOf(known, { columns: ["store"], levels: ["region", "size"] });
  const table = { rowCount: 3, columns: [column("store", ["B", "new", "A"])] };
  const [store, region, size] = fillLevels(table, levels).columns as CategoryColumn[];
  expect(store).toEqual(table.columns[0]);
  expect(texts(region!)).toEqual(["north", null, "west"]);
  expect(texts(size!)).toEqual(["large", null, null]);
});

it("keeps given columns, and tables that lack a series column", () => {
  const levels = { columns: ["store"], levels: ["region"], values: new Map([['["A"]', ["south"]]]) };
  const given = { rowCount: 1, columns: [column("store", ["A"]), column("region", ["east"])] };
  expect(fillLevels(given, levels)).toBe(given);
  const other = { rowCount: 1, columns: [column("shop", ["A"])] };
  expect(fillLevels(other, levels)).toBe(other);
});
