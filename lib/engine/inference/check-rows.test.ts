import fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { sliceRows } from "#lib/engine/table/rows";
import { checkInput } from "./check-input.ts";
import { InputRowsCheck } from "./check-rows.ts";
import type { InputFeature } from "./input-features.ts";

const feature = (name: string, type: InputFeature["type"], missingAllowed: boolean): InputFeature => ({
  name,
  type,
  missingAllowed,
  role: "input",
  required: true,
  sourceProjectId: null,
  min: 0,
  max: 5,
  mean: null,
  median: null,
  missing: 0,
  categories: type === "category" ? ["a", "b"] : null,
});

const features = [
  feature("x", "number", false),
  feature("kind", "category", true),
  feature("open", "boolean", true),
  feature("gone", "number", true),
];

const row = fc.record({
  x: fc.constantFrom(Number.NaN, 0, 1, 7, -3),
  kind: fc.constantFrom(-1, 0, 1, 2),
  open: fc.constantFrom(Number.NaN, 0, 1, 2),
});

test("the check of a table in parts equals the check of the whole table", () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 300 }),
      fc.array(fc.nat({ max: 300 }), { maxLength: 4 }),
      (rows, cuts) => {
        const table: Table = {
          rowCount: rows.length,
          columns: [
            { name: "x", type: "number", values: Float64Array.from(rows, ({ x }) => x) },
            {
              name: "kind",
              type: "category",
              categories: ["a", "b", "odd"],
              codes: Int32Array.from(rows, ({ kind }) => kind),
            },
            { name: "open", type: "number", values: Float64Array.from(rows, ({ open }) => open) },
            { name: "extra", type: "number", values: new Float64Array(rows.length) },
          ],
        };
        const check = new InputRowsCheck(features, "y");
        const borders = [0, ...cuts.sort((a, b) => a - b), rows.length];
        for (const [at, from] of borders.slice(0, -1).entries())
          check.add(sliceRows(table, from, borders[at + 1]));
        const { table: _, ...whole } = checkInput(table, features, "y");
        expect(check.check).toEqual(whole);
      },
    ),
  );
});
