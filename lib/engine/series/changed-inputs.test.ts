import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { align } from "./align.ts";
import { changedInputs } from "./changed-inputs.ts";

const number = (name: string, values: number[]): Column => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});
const category = (name: string, cells: (string | null)[]): Column => {
  const categories = [...new Set(cells.filter((cell) => cell !== null))];
  const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : categories.indexOf(cell)));
  return { name, type: "category", codes, categories };
};
const table = (...columns: Column[]): Table => {
  const first = columns[0]!;
  return { rowCount: first.type === "category" ? first.codes.length : first.values.length, columns };
};
const byRow = (...tables: Table[]) => align(tables.map(({ rowCount }) => ({ rowCount, timestamps: null })));

describe("changedInputs", () => {
  it("returns the features that differ from the baseline, with scenarios and number of points", () => {
    const base = table(
      number("price", [1, 2, 3]),
      category("city", ["Bonn", "Köln", null]),
      number("same", [0, 0, 0]),
    );
    const one = table(
      number("price", [1, 9, 3]),
      category("city", ["Bonn", "Köln", null]),
      number("same", [0, 0, 0]),
    );
    const two = table(
      number("price", [9, 9, 3]),
      category("city", ["Köln", "Rome", "Bonn"]),
      number("same", [0, 0, 0]),
    );
    const scenarios = [
      { scenarioId: "one", table: one },
      { scenarioId: "base", table: base },
      { scenarioId: "two", table: two },
    ];
    expect(changedInputs(scenarios, "base", byRow(one, base, two))).toEqual([
      {
        feature: "price",
        scenarioIds: ["one", "two"],
        changedRows: 2,
        amounts: [
          { scenarioId: "one", rows: 1, sum: 7, min: 7, max: 7 },
          { scenarioId: "two", rows: 2, sum: 15, min: 7, max: 8 },
        ],
      },
      { feature: "city", scenarioIds: ["two"], changedRows: 3, amounts: [] },
    ]);
  });

  it("compares only points that both scenarios have", () => {
    const base = table(number("price", [1, 2, 3]));
    const later = table(number("price", [2, 3, 99]));
    const times = (days: number[]) => ({ rowCount: 3, timestamps: Float64Array.from(days) });
    const alignment = align([times([0, 1, 2]), times([1, 2, 3])]);
    const scenarios = [
      { scenarioId: "a", table: base },
      { scenarioId: "b", table: later },
    ];
    expect(changedInputs(scenarios, "a", alignment)).toEqual([]);
  });

  it("treats an absent feature as missing, and leaves out ignored columns", () => {
    const base = table(number("t", [1, 2]), number("price", [1, Number.NaN]));
    const other = table(number("t", [3, 4]), category("city", ["Bonn", null]));
    const scenarios = [
      { scenarioId: "a", table: base },
      { scenarioId: "b", table: other },
    ];
    expect(changedInputs(scenarios, "a", byRow(base, other), ["t"])).toEqual([
      { feature: "price", scenarioIds: ["b"], changedRows: 1, amounts: [] },
      { feature: "city", scenarioIds: ["b"], changedRows: 1, amounts: [] },
    ]);
  });

  it("treats a number and its text as equal", () => {
    const base = table(number("code", [1, 2, Number.NaN]));
    const other = table(category("code", ["1", "x", null]));
    const scenarios = [
      { scenarioId: "a", table: base },
      { scenarioId: "b", table: other },
    ];
    expect(changedInputs(scenarios, "a", byRow(base, other))).toEqual([
      { feature: "code", scenarioIds: ["b"], changedRows: 1, amounts: [] },
    ]);
  });

  it("finds exactly the cells that differ, for any category codes", () => {
    const cell = fc.option(fc.constantFrom("x", "y", "z"), { nil: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (pairs) => {
        const a = table(
          category(
            "c",
            pairs.map(([left]) => left),
          ),
        );
        const b = table(
          category(
            "c",
            pairs.map(([, right]) => right),
          ),
        );
        const scenarios = [
          { scenarioId: "a", table: a },
          { scenarioId: "b", table: b },
        ];
        const changedRows = pairs.filter(([left, right]) => left !== right).length;
        const expected =
          changedRows === 0 ? [] : [{ feature: "c", scenarioIds: ["b"], changedRows, amounts: [] }];
        expect(changedInputs(scenarios, "a", byRow(a, b))).toEqual(expected);
      }),
    );
  });
});
