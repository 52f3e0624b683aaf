import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { CategoryColumn, Column, ColumnType, Table } from "#lib/contract/table";
import { csvOfTable } from "#testing/csv-of-table";
import { escapeFormula, unescapeFormula } from "./formulas.ts";
import type { ExpectedColumn } from "./options.ts";
import { parseCsv } from "./parse.ts";
import { writeRows, writeText } from "./write-csv.ts";

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constant(Number.NaN),
);
const boolean = fc.constantFrom(0, 1, Number.NaN);
const time = fc.oneof(
  fc
    .date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.getTime()),
  fc.constant(Number.NaN),
);
/**
 * Texts that a reader can return: not empty, no surrounding white space, no NUL. Some look like formulas or escaped.
 */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', ",", "\n", "\r", ";", "\t", "|", "'", "=", "-", "＝", "1", " "),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    ),
    maxLength: 8,
  })
  .map((candidate) => candidate.replaceAll("\0", "").trim() || "x");

function column(name: string, type: ColumnType, rowCount: number): fc.Arbitrary<Column> {
  const cells = <T>(cell: fc.Arbitrary<T>) => fc.array(cell, { minLength: rowCount, maxLength: rowCount });
  if (type === "category") {
    return cells(fc.option(text, { nil: null })).map((values): CategoryColumn => {
      const categories = [...new Set(values.filter((value) => value !== null))];
      const codes = Int32Array.from(values, (value) => (value === null ? -1 : categories.indexOf(value)));
      return { name, type, codes, categories };
    });
  }
  const cell = { number, boolean, timestamp: time }[type];
  return cells(cell).map((values) => ({ name, type, values: Float64Array.from(values) }));
}

const types = fc.array(fc.constantFrom<ColumnType>("number", "category", "boolean", "timestamp"), {
  minLength: 2,
  maxLength: 5,
});
const table = fc
  .tuple(types, fc.integer({ min: 1, max: 12 }), fc.uniqueArray(text, { minLength: 5, maxLength: 5 }))
  .chain(([kinds, rowCount, names]) =>
    fc
      .tuple(...kinds.map((type, index) => column(names[index]!, type, rowCount)))
      .map((columns): Table => ({ rowCount, columns })),
  );

describe("a table as CSV", () => {
  it("reads back as the same table, to the bit", () => {
    fc.assert(
      fc.property(table, (written) => {
        const columns: ExpectedColumn[] = written.columns.map(({ name, type }) => ({ name, type }));
        const result = parseCsv(csvOfTable(written), { columns });
        expect(result.issues).toEqual([]);
        expect(result.table).toEqual(written);
      }),
      { numRuns: 400 },
    );
  });

  it("writes times like Date for any previous time", () => {
    const day = fc.constantFrom(-100_000_000, -719_529, -719_528, -1, 0, 1, 19_782, 2_932_897, 99_999_999);
    const within = fc.oneof(
      fc.integer({ min: 0, max: 86_399_999 }),
      fc.constantFrom(0, 999, 43_200_000.5, 86_399_999),
    );
    const ms = fc.tuple(day, within).map(([days, rest]) => days * 86_400_000 + rest);
    fc.assert(
      fc.property(fc.array(ms, { minLength: 1, maxLength: 8 }), (times) => {
        const values = Float64Array.from(times);
        const text = csvOfTable({
          rowCount: times.length,
          columns: [{ name: "t", type: "timestamp", values }],
        });
        const lines = times.map((time) => new Date(time).toISOString());
        expect(text).toBe(["t", ...lines, ""].join("\r\n"));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['"', ";", "|"],
    ["x", '";', "|"],
    [",", '";y|', ";#"],
    ["x", "y", '";"'],
  ])("is read with commas, for texts with other delimiters: %s %s %s", (first, second, value) => {
    const columns: Column[] = [first, second].map((name) => ({
      name,
      type: "category",
      codes: Int32Array.of(0),
      categories: [value],
    }));
    const written: Table = { rowCount: 1, columns };
    const expected = columns.map(({ name, type }): ExpectedColumn => ({ name, type }));
    expect(parseCsv(csvOfTable(written), { columns: expected }).table).toEqual(written);
  });

  it("is read by another parser as the same cells, with formulas escaped", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 10 }), (rows) => {
        const categories = [...new Set(rows.flat())];
        const codes = (side: 0 | 1) => Int32Array.from(rows, (row) => categories.indexOf(row[side]));
        const columns: Column[] = [
          { name: "a", type: "category", categories, codes: codes(0) },
          { name: "b", type: "category", categories, codes: codes(1) },
        ];
        const csv = csvOfTable({ rowCount: rows.length, columns });
        const parsed = Papa.parse<string[]>(csv.trimEnd(), { delimiter: ",", newline: "\r\n" });
        expect(parsed.data).toEqual([["a", "b"], ...rows.map((row) => row.map(escapeFormula))]);
      }),
    );
  });

  it.each([";", "\t", "|"])(
    "has no formula for a program that splits it at %j, with or without quotes",
    (delimiter) => {
      const sign = /^"*[=+\-@\t\r\n＝＋－＠]/;
      // Numbers stay unchanged, also with a decimal comma: -,1 or -1,5.
      const number = /^"*[-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?(?:[,"]|$)/i;
      fc.assert(
        fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
          const line = cells.map(writeText).join(",");
          const unquoted = line.split(new RegExp(`[${delimiter}\r\n]`));
          const quoted = Papa.parse<string[]>(line, { delimiter }).data.flat();
          const formulas = [...unquoted, ...quoted].filter(
            (field) => sign.test(field) && !number.test(field),
          );
          expect(formulas).toEqual([]);
          for (const cell of cells) expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
        }),
        { numRuns: 2_000, examples: [[["x", "a;=1+1"]], [["x", 'a;"=1+1"']], [["x", "a\n=1+1"]]] },
      );
    },
  );

  it("yields pieces of at most 1,000 rows", () => {
    const values = Float64Array.from({ length: 2500 }, (_, row) => row);
    const pieces = [...writeRows({ rowCount: 2500, columns: [{ name: "x", type: "number", values }] })];
    expect(pieces.map((piece) => piece.split("\r\n").length - 1)).toEqual([1000, 1000, 500]);
  });

  it("yields fewer rows per piece of a wide table, but at least one", () => {
    const wide = (width: number): Table => ({
      rowCount: 60,
      columns: Array.from({ length: width }, (_, at) => ({
        name: `x${at}`,
        type: "number",
        values: new Float64Array(60),
      })),
    });
    const rowsOf = (table: Table) => [...writeRows(table)].map((piece) => piece.split("\r\n").length - 1);
    expect(rowsOf(wide(500))).toEqual([8, 8, 8, 8, 8, 8, 8, 4]);
    expect(rowsOf(wide(30_000))).toEqual(Array(60).fill(1));
  });

  it("keeps a row whose only value is missing", () => {
    const values = Float64Array.of(1, Number.NaN, 3);
    expect(csvOfTable({ rowCount: 3, columns: [{ name: "x", type: "number", values }] })).toBe(
      'x\r\n1\r\n""\r\n3\r\n',
    );
  });
});

describe("formulas in texts", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd('C calc')!A0", "'+cmd('C calc')!A0"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", '"\'\t=1"'],
    ["\n=1", '"\'\n=1"'],
    ["＝1+1", "'＝1+1"],
    ["＋1", "'＋1"],
    ["－1.5", "'－1.5"],
    ["＠x", "'＠x"],
    ["'=1+1", "''=1+1"],
    ["\r=1", '"\'\r=1"'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ])("are escaped: %j", (formula, written) => {
    expect(writeText(formula)).toBe(written);
  });

  it("never begin a cell, for any text, and numbers stay unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n＝＋－＠1.5eA \",'"), maxLength: 8 }),
        (candidate) => {
          const cell =
            Papa.parse<string[]>(writeText(candidate), { delimiter: ",", newline: "\n" }).data[0]?.[0] ?? "";
          if (/^[=+\-@\t\r\n＝＋－＠]/.test(cell))
            expect(Number.isFinite(Number(cell.replace(",", ".")))).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
    for (const number of ["-1.5", "+3", "-1e5"]) expect(writeText(number)).toBe(number);
    const columns: Column[] = [
      { name: "=x", type: "category", categories: ["=y"], codes: Int32Array.of(0) },
      { name: "n", type: "number", values: Float64Array.of(-1.5) },
    ];
    expect(csvOfTable({ rowCount: 1, columns })).toBe("'=x,n\r\n'=y,-1.5\r\n");
  });
});
