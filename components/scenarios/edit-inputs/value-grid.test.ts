import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import type { Adjustment } from "#lib/contract/scenarios";
import { editedInputs, type GridPage, pastedCells, readCells, withCells } from "./value-grid.ts";

const row = (at: number, input: GridPage["rows"][number]["input"]) => ({
  row: at + 1,
  timestamp: new Date(Date.UTC(2026, 0, 1, at)).toISOString(),
  prediction: 0,
  lower: null,
  upper: null,
  input: [new Date(Date.UTC(2026, 0, 1, at)).toISOString(), ...input],
});
const page: GridPage = {
  columns: [
    { name: "when", type: "timestamp", computed: false },
    { name: "temp", type: "number", computed: false },
    { name: "open", type: "boolean", computed: false },
    { name: "city", type: "category", computed: false },
  ],
  rows: [row(0, [1, true, "Rome"]), row(1, [2, false, null]), row(2, [null, null, "Oslo"])],
};
const names = ["temp", "open", "city"];
const inputsOf = (recipe: readonly Adjustment[]) => editedInputs(page, recipe).map((input) => input.slice(1));

test("shows the saved inputs without changes, and the effect of all steps in their order", () => {
  expect(editedInputs(page, [])).toEqual(page.rows.map(({ input }) => input));
  const recipe: Adjustment[] = [
    { feature: "temp", operation: "add", value: 1 },
    {
      feature: "temp",
      operation: "multiply",
      value: 10,
      where: [{ feature: "open", operator: "=", value: true }],
    },
    { feature: "city", operation: "set", value: "Bern", from: page.rows[1]!.timestamp! },
  ];
  expect(inputsOf(recipe)).toEqual([
    [20, true, "Rome"],
    [3, false, "Bern"],
    [null, null, "Bern"],
  ]);
  expect(inputsOf([{ feature: "gone", operation: "set", value: 1 }])).toEqual(inputsOf([]));
});

test("shows each entered value, independent of the other steps", () => {
  const step = fc.record({
    feature: fc.constant("temp"),
    operation: fc.constantFrom("add" as const, "multiply" as const, "set" as const),
    value: fc.integer({ min: -9, max: 9 }),
  });
  const cell = fc.record({
    row: fc.integer({ min: 0, max: 2 }),
    feature: fc.constant("temp"),
    value: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 5 }),
      fc.array(fc.array(cell, { maxLength: 3 }), { maxLength: 4 }),
      (steps, pastes) => {
        let recipe: readonly Adjustment[] = steps;
        const wanted = editedInputs(page, recipe).map((input) => input[1]!);
        for (const paste of pastes) {
          const cells = [...new Map(paste.map((one) => [one.row, one])).values()];
          recipe = withCells(recipe, cells, page)!;
          for (const { row, value } of cells) wanted[row] = value;
        }
        expect(editedInputs(page, recipe).map((input) => input[1])).toEqual(wanted);
      },
    ),
  );
});

test("replaces the step of a cell at its place, or at the end after a later change of the input", () => {
  const time = page.rows[2]!.timestamp!;
  const set = (value: number): Adjustment => ({
    feature: "temp",
    operation: "set",
    value,
    from: time,
    to: time,
  });
  const raised: Adjustment = { feature: "temp", operation: "add", value: 1 };
  const other: Adjustment = { feature: "city", operation: "set", value: "Bern" };
  const cell = (value: number | null) => [{ row: 2, feature: "temp", value }];
  expect(withCells([set(6), other], cell(7), page)).toEqual([set(7), other]);
  expect(withCells([set(6), raised, other], cell(7), page)).toEqual([raised, other, set(7)]);
  expect(withCells([set(6), raised], cell(null), page)).toEqual([raised]);
  const unchanged = [raised];
  expect(withCells(unchanged, cell(null), page)).toBe(unchanged);
});

test("reads the times of the rows also where the inputs hold another time, and rows in any order", () => {
  const other = { name: "ordered", type: "timestamp" as const, computed: false };
  const ordered = page.rows.map((one) => ({ ...one, input: ["2020-01-01T00:00:00.000Z", ...one.input] }));
  const shuffled: GridPage = { columns: [other, ...page.columns], rows: ordered.toReversed() };
  const cells = [0, 1, 2].map((row) => ({ row, feature: "temp", value: row + 5 }));
  const recipe = withCells([], cells, shuffled)!;
  expect(editedInputs(shuffled, recipe).map((input) => input[2])).toEqual([5, 6, 7]);
});

test("returns null above the number of steps of a scenario", () => {
  const steps = Array.from(
    { length: limits.adjustmentsMax },
    (): Adjustment => ({ feature: "temp", operation: "add", value: 1 }),
  );
  expect(withCells(steps.slice(1), [{ row: 0, feature: "temp", value: 1 }], page)).toHaveLength(
    limits.adjustmentsMax,
  );
  expect(withCells(steps, [{ row: 0, feature: "temp", value: 1 }], page)).toBeNull();
});

test("reads what a spreadsheet copies, from a cell to the right and down, within the page", () => {
  const { cells, error } = readCells(pastedCells("3\tTRUE\tRome\r\n\t0\tParis\r\n9\r\n"), page, 1, names);
  expect(error).toBeNull();
  expect(cells).toEqual([
    { row: 1, feature: "temp", value: 3 },
    { row: 1, feature: "open", value: true },
    { row: 1, feature: "city", value: "Rome" },
    { row: 2, feature: "open", value: false },
    { row: 2, feature: "city", value: "Paris" },
  ]);
});

test.each([
  ["1,5", "temp", "“1,5” is not a number such as 1234.5."],
  ["Infinity", "temp", "“Infinity” is not a number such as 1234.5."],
  ["yes", "open", "“yes” is neither true nor false."],
])("rejects the text %j for the input %s", (text, feature, error) => {
  expect(readCells([[text]], page, 1, [feature])).toEqual({ cells: [], error });
});
