import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { decodeTable, encodeTable } from "./codec.ts";
import { dropColumns, findColumn, numericValues, selectColumns, withColumn } from "./columns.ts";
import { concatTables } from "./concat.ts";
import { sliceRows, takeRows } from "./rows.ts";

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, -0, 0, 127, 128, -128, -129, 32767, 32768, 2 ** 31, Infinity),
  fc.integer(),
  fc.integer({ min: 0, max: 1 }),
);
const anyName = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "\ud800", "é"));

const anyTable: fc.Arbitrary<Table> = fc
  .tuple(fc.uniqueArray(anyName, { maxLength: 6 }), fc.nat({ max: 40 }))
  .chain(([names, rowCount]) =>
    fc
      .tuple(
        ...names.map((name) =>
          fc.oneof(
            fc
              .tuple(
                fc.constantFrom("number" as const, "boolean" as const, "timestamp" as const),
                fc.array(anyNumber, { minLength: rowCount, maxLength: rowCount }),
              )
              .map(([type, values]): Column => ({ name, type, values: Float64Array.from(values) })),
            fc
              .tuple(
                fc.uniqueArray(anyName, { maxLength: 300 }),
                fc.array(fc.integer({ min: -1, max: 1000 }), { minLength: rowCount, maxLength: rowCount }),
              )
              .map(
                ([categories, codes]): Column => ({
                  name,
                  type: "category",
                  categories,
                  codes: Int32Array.from(codes, (code) =>
                    code < 0 || categories.length === 0 ? -1 : code % categories.length,
                  ),
                }),
              ),
          ),
        ),
      )
      .map((columns) => ({ rowCount, columns })),
  );

const labels = (column: Column) =>
  column.type === "category"
    ? Array.from(column.codes, (code) => (code < 0 ? null : column.categories[code]))
    : Array.from(column.values);

describe("table codec", () => {
  test("preserves every table to the bit, for any names and values", () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        expect(decodeTable(encodeTable(table))).toEqual(table);
      }),
    );
  });

  test("reads from an unaligned view", () => {
    fc.assert(
      fc.property(anyTable, fc.nat({ max: 9 }), (table, shift) => {
        const bytes = encodeTable(table);
        const shifted = new Uint8Array(bytes.length + shift);
        shifted.set(bytes, shift);
        expect(decodeTable(shifted.subarray(shift))).toEqual(table);
      }),
    );
  });

  test("rejects truncated tables, other versions and other data", () => {
    const table: Table = {
      rowCount: 3,
      columns: [{ name: "a", type: "number", values: Float64Array.of(1.1, 2.2, 3.3) }],
    };
    const bytes = encodeTable(table);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeTable(bytes.subarray(0, length))).toThrow();
    }
    expect(() => decodeTable(new TextEncoder().encode("a,b\n1,2\n"))).toThrow(/not a table/);
  });

  test("uses one byte for booleans and small codes, eight for epoch milliseconds", () => {
    const n = 1000;
    const flags: Column = { name: "f", type: "boolean", values: new Float64Array(n).fill(1) };
    const times: Column = { name: "t", type: "timestamp", values: new Float64Array(n).fill(1.7e12 + 1) };
    expect(encodeTable({ rowCount: n, columns: [flags] }).length).toBeLessThan(n + 200);
    expect(encodeTable({ rowCount: n, columns: [times] }).length).toBeGreaterThan(8 * n);
  });
});

describe("table helpers", () => {
  test("returns the same rows by slice and by take", () => {
    fc.assert(
      fc.property(anyTable, fc.nat({ max: 50 }), fc.nat({ max: 50 }), (table, a, b) => {
        const slice = sliceRows(table, a, b);
        const rows = Array.from({ length: slice.rowCount }, (_, i) => Math.min(a, table.rowCount) + i);
        expect(slice).toEqual(takeRows(table, rows));
      }),
    );
  });

  test("joins parts again with every value and category", () => {
    fc.assert(
      fc.property(anyTable, fc.nat({ max: 40 }), (table, at) => {
        const joined = concatTables([sliceRows(table, 0, at), sliceRows(table, at)]);
        expect(joined.rowCount).toBe(table.rowCount);
        expect(joined.columns.map(labels)).toEqual(table.columns.map(labels));
      }),
    );
  });

  test("recodes categories if two tables number them differently", () => {
    const part = (categories: string[], codes: number[]): Table => ({
      rowCount: codes.length,
      columns: [{ name: "sky", type: "category", categories, codes: Int32Array.from(codes) }],
    });
    const joined = concatTables([part(["clear", "rain"], [0, 1]), part(["rain", "snow"], [0, 1, -1])]);
    expect(labels(joined.columns[0]!)).toEqual(["clear", "rain", "rain", "snow", null]);
  });

  test("rejects a join with a column of another type", () => {
    const numbers: Table = {
      rowCount: 1,
      columns: [{ name: "a", type: "number", values: Float64Array.of(1) }],
    };
    const words: Table = {
      rowCount: 1,
      columns: [{ name: "a", type: "category", categories: ["x"], codes: Int32Array.of(0) }],
    };
    expect(() => concatTables([numbers, words])).toThrow(/Table 2 has "a" as category/);
    expect(() => concatTables([numbers, { rowCount: 1, columns: [] }])).toThrow(/no column "a"/);
  });

  test("selects, drops and replaces columns by name", () => {
    const column = (name: string, value: number): Column => ({
      name,
      type: "number",
      values: Float64Array.of(value),
    });
    const table: Table = { rowCount: 1, columns: [column("__proto__", 1), column("b", 2)] };
    expect(selectColumns(table, ["b", "__proto__"]).columns.map((c) => c.name)).toEqual(["b", "__proto__"]);
    expect(dropColumns(table, ["b"]).columns.map((c) => c.name)).toEqual(["__proto__"]);
    expect(numericValues(withColumn(table, column("b", 5)), "b")[0]).toBe(5);
    expect(findColumn(table, "toString")).toBeUndefined();
    expect(() => selectColumns(table, ["c"])).toThrow(/no column "c"/);
  });
});
