import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { CategoryColumn, NumericColumn } from "#lib/contract/table";
import type { CsvColumn, CsvOptions, CsvResult } from "./options.ts";
import { parseCsv } from "./parse.ts";

function numbers(result: CsvResult, name: string): number[] {
  const column = result.table.columns.find((one) => one.name === name) as NumericColumn;
  return [...column.values];
}

function texts(result: CsvResult, name: string): (string | null)[] {
  const column = result.table.columns.find((one) => one.name === name) as CategoryColumn;
  return [...column.codes].map((code) => column.categories[code] ?? null);
}

function times(result: CsvResult, name: string): (string | null)[] {
  return numbers(result, name).map((ms) => (Number.isNaN(ms) ? null : new Date(ms).toISOString()));
}

const codes = (input: string, options?: CsvOptions) =>
  parseCsv(input, options).issues.map(({ code }) => code);

describe("parseCsv reads with identical results", () => {
  const rows = [
    ["day", "city", "temp", "note"],
    ["2024-01-01", "Bonn", "1.5", "plain"],
    ["2024-01-02", "Köln", "-2", 'says "hi"'],
    ["2024-01-03", "Bonn", "", "two\nlines, and; more|marks\there"],
  ];
  const write = (delimiter: string, newline: string) =>
    Papa.unparse(rows, { delimiter, newline, quotes: true });
  const reference = parseCsv(write(",", "\n"));

  it("the plain file", () => {
    expect(reference.issues).toEqual([]);
    expect(reference.rowCount).toBe(3);
    expect(numbers(reference, "temp")).toEqual([1.5, -2, Number.NaN]);
    expect(texts(reference, "city")).toEqual(["Bonn", "Köln", "Bonn"]);
    expect(texts(reference, "note")).toEqual(["plain", 'says "hi"', "two\nlines, and; more|marks\there"]);
    expect(times(reference, "day")[2]).toBe("2024-01-03T00:00:00.000Z");
  });

  for (const delimiter of [",", ";", "\t", "|"]) {
    for (const newline of ["\n", "\r\n", "\r"]) {
      for (const end of ["", newline, newline + newline]) {
        it(`delimiter ${JSON.stringify(delimiter)}, lines ${JSON.stringify(newline)}, end ${JSON.stringify(end)}`, () => {
          const result = parseCsv(write(delimiter, newline) + end);
          expect(result.table).toEqual(reference.table);
          expect(result.issues).toEqual([]);
          expect(result.delimiter).toBe(delimiter);
        });
      }
    }
  }

  it("a byte order mark in bytes and text, and mixed line ends", () => {
    const bytes = new TextEncoder().encode(`\uFEFF${write(",", "\r\n")}`);
    expect(parseCsv(bytes).table).toEqual(reference.table);
    expect(parseCsv(`\uFEFF${write(";", "\n")}`).table).toEqual(reference.table);
    expect(numbers(parseCsv("a,b\r\n1,2\n3,4\r\n5,6"), "b")).toEqual([2, 4, 6]);
  });

  it("a decimal comma only with semicolons", () => {
    const result = parseCsv("a;b\n1,5;2\n-0,25;3");
    expect(numbers(result, "a")).toEqual([1.5, -0.25]);
    expect(result.decimalComma).toBe(true);
    expect(codes('a,b\n"1,5",2\n"2,5",3')).toEqual(["digit_grouping", "digit_grouping"]);
    expect(codes("a;b\n1,5;2\n2,5;2.5")).toEqual(["digit_grouping"]);
    expect(numbers(parseCsv("a;v\n1,5;1.0\n2;1.1", { categories: ["v"] }), "a")).toEqual([1.5, 2]);
  });

  it("the decimal mark of the numbers that show it, before those that may have groups", () => {
    const shop = parseCsv("visitors;sales\n1.204;4.617,60 €\n954;3.888,20 €\n1.310;545,13 €", {
      numberFormats: [{ column: "sales", unit: "€", decimalMark: ",", groupMark: "." }],
    });
    expect(shop.issues.map(({ column, value, code }) => [column, value, code])).toEqual([
      ["visitors", "1.204", "digit_grouping"],
      ["visitors", "1.310", "digit_grouping"],
    ]);
    expect(codes("a;b\n1.204;0,5\n1.205;7\n1.206;8")).toEqual(Array(3).fill("digit_grouping"));
    expect(codes("a;b\n1,204;0.5\n1,205;7\n1,206;8")).toEqual(Array(3).fill("digit_grouping"));
    expect(parseCsv("a;b\n1.234.567;1.204\n1;2").decimalComma).toBe(true);
    expect(parseCsv("a;b\nkr. 5,50;1.204\nkr. 6,50;1.205").decimalComma).toBe(true);
    expect(numbers(parseCsv("a;b\n1.204;x\n1.205;y"), "a")).toEqual([1.204, 1.205]);
    expect(numbers(parseCsv("a;b\n1,204;x\n1,205;y"), "a")).toEqual([1.204, 1.205]);
    expect(parseCsv("a;b\n-€1,50;1.204\n-€2,50;1.205").decimalComma).toBe(true);
    expect(numbers(parseCsv("a;address\n1.5;10.0.0.1\n2.5;192.168.100.200\n3;192.168.100.201"), "a")).toEqual(
      [1.5, 2.5, 3],
    );
    expect(numbers(parseCsv("time;a\n10.30 Uhr;0,5\n11.30 Uhr;1"), "a")).toEqual([0.5, 1]);
  });

  it("Excel's separator line, blank lines and white space around cells", () => {
    const result = parseCsv("sep=;\r\n\r\n a ; b \r\n\r\n 1 ; x \r\n\r\n2;y\r\n\r\n");
    expect(result.header).toEqual(["a", "b"]);
    expect(numbers(result, "a")).toEqual([1, 2]);
    expect(texts(result, "b")).toEqual(["x", "y"]);
  });

  it("columns named like object prototype members", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "length"];
    const result = parseCsv(`${names.join(",")}\n1,2,3,4,5`, {
      columns: [{ name: "__proto__", type: "number" }],
    });
    expect(result.issues).toEqual([]);
    expect(result.table.columns.map(({ name }) => name)).toEqual(names);
    expect(names.map((name) => numbers(result, name)[0])).toEqual([1, 2, 3, 4, 5]);
  });

  it("names with inner quotes, quoted delimiters, or the first bytes of another format", () => {
    const inches = parseCsv('size 5",b\r1,2\r3,4');
    expect([inches.header, inches.rowCount]).toEqual([['size 5"', "b"], 2]);
    const piped = parseCsv('x,"|#","|"\r\n1,2,3\r\n');
    expect([piped.header, piped.delimiter]).toEqual([["x", "|#", "|"], ","]);
    expect(parseCsv(new TextEncoder().encode("PAR1,PAR2\n1,2\n3,4\n")).header).toEqual(["PAR1", "PAR2"]);
    expect(parseCsv("<html,<!--\n1,2").header).toEqual(["<html", "<!--"]);
  });

  it("thousands of columns", () => {
    const names = Array.from({ length: 5000 }, (_, index) => `c${index}`);
    const row = names.map((_, index) => index).join(",");
    const result = parseCsv(`${names.join(",")}\n${row}\n${row}`);
    expect(result.issues).toEqual([]);
    expect(numbers(result, "c4999")).toEqual([4999, 4999]);
  });

  it("one column, with a blank line as a missing value and trailing blank lines ignored", () => {
    const result = parseCsv("a\n1\n\n3\n\n\n");
    expect(numbers(result, "a")).toEqual([1, Number.NaN, 3]);
  });
});

describe("parseCsv column types", () => {
  it("uses the declared type, otherwise that of most values", () => {
    const result = parseCsv("n,b,t,c,s,e\n1,true,2024-01-01,x,1,\n2,FALSE,2024-01-02,y,2,", {
      categories: ["s"],
    });
    expect(result.columns.map(({ type }) => type)).toEqual([
      "number",
      "boolean",
      "timestamp",
      "category",
      "category",
      "number",
    ]);
    expect(result.columns.at(-1)).toMatchObject({ missing: 2 });
    expect(result.warnings).toMatchObject([{ code: "empty_column", column: "e" }]);
  });

  it.each([
    ["(1,234.5)", "12", "(3)"],
    ["\u22121.5", "\u22123", "2"],
    ["\u22121.5", "\u22123", "\u22120.5"],
  ])("reads a column of %s, %s and %s as numbers, and proposes its format", (...cells) => {
    const { columns, issueCount } = parseCsv(`a,b\n${cells.map((cell) => `1,"${cell}"`).join("\n")}`);
    expect(issueCount).toBeGreaterThan(0);
    const [, { numberFormat, ...column }] = columns as [CsvColumn, CsvColumn];
    expect(column).toMatchObject({ name: "b", type: "number" });
    const text = `b\n${cells.map((cell) => `"${cell}"`).join("\n")}`;
    const read = parseCsv(text, { numberFormats: [{ column: "b", ...numberFormat! }] });
    expect(read.issues).toEqual([]);
  });

  it.each([
    ["no others", ["(1)", "(2)"]],
    ["more texts than other numbers", ["(1)", "(2)", "(3)", "1", "a", "b"]],
    ["only signed numbers and texts in parentheses", ["(-1)", "(NaN)", "(0x1F)", "1"]],
  ])("reads numbers in parentheses as categories if there are %s", (_, cells) => {
    expect(parseCsv(`a\n${cells.join("\n")}\n`)).toMatchObject({
      columns: [{ type: "category" }],
      issues: [],
    });
  });

  it("keeps the declared type of a category whose values look like negative numbers", () => {
    const cells = ["1", "(2)", "\u22123"];
    const text = `a\n${cells.join("\n")}\n`;
    expect(parseCsv(text).columns).toMatchObject([{ type: "number" }]);
    for (const options of [{ columns: [{ name: "a", type: "category" as const }] }, { categories: ["a"] }]) {
      const { table, issues } = parseCsv(text, options);
      expect([table.columns, issues]).toMatchObject([[{ type: "category", categories: cells }], []]);
    }
  });

  it("treats only empty cells as missing, and further texts if the options name them", () => {
    expect(codes("a,b\n1,2\nNA,3\n4,5")).toEqual(["not_a_number"]);
    const result = parseCsv("a,b\n1,2\nNA,3\n-999,5", { missing: ["NA", "-999"] });
    expect(numbers(result, "a")).toEqual([1, Number.NaN, Number.NaN]);
    expect(result.issues).toEqual([]);
  });

  it.each(["NaN", "Inf", "-Infinity", "1e400", "0x1F", "abc", "1,234"])(
    "names row, column and value of %s",
    (bad) => {
      const result = parseCsv(`a,temp\n1,2\n3,"${bad}"\n5,6\n7,8`);
      expect(result.issues).toMatchObject([{ row: 2, column: "temp", value: bad, expected: "a number" }]);
      expect(result.issueCount).toBe(1);
    },
  );
});

describe("parseCsv with an invalid file", () => {
  it.each([
    ["an empty file", "", "empty_file"],
    ["a blank file", "\n \n", "empty_file"],
    ["a header alone", "a,b\n", "no_rows"],
    ["an empty header", "a,,b\n1,2,3", "empty_header"],
    ["a header twice", "a,b,a\n1,2,3", "duplicate_header"],
    ["a header repeated apart from white space", "a,b, a\n1,2,3", "duplicate_header"],
    ["a short row", "a,b\n1,2\n3\n", "ragged_row"],
    ["a long row", "a,b\n1,2,3", "ragged_row"],
    ["an unclosed quote", 'a,b\n1,"2\n3,4', "unclosed_quote"],
    ["text after a quote", 'a,b\n1,"2"x\n3,4', "malformed_quote"],
    ["NUL", "a,b\n1,\x002", "nul_character"],
  ])("%s", (_, csv, code) => {
    expect(codes(csv)).toEqual([code]);
    expect(parseCsv(new TextEncoder().encode(csv)).issues.map((issue) => issue.code)).toEqual([code]);
  });

  it("reports the row of a broken quote, and the issues before it", () => {
    const result = parseCsv('a,b\n1,2\nx,3\n7,8\n4,"5\n6,7');
    expect(result.issues).toMatchObject([
      { row: 2, column: "a", code: "not_a_number" },
      { row: 4, column: "b", code: "unclosed_quote" },
    ]);
  });

  it("reports the row in which the text stops being UTF-8", () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("é,b\n1,2\n3,"), 0xff, 0x0a]);
    expect(parseCsv(bytes).issues).toMatchObject([{ row: 2, code: "invalid_encoding" }]);
  });

  it("lists the first 100 issues in file order and counts all", () => {
    const rows = Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? `${index},1` : "x,NaN"));
    const result = parseCsv(`a,b\n${rows.join("\n")}`, { columns: [{ name: "a", type: "number" }] });
    expect(result.issueCount).toBe(500);
    expect(result.issues).toHaveLength(100);
    expect(result.issues.slice(0, 3).map(({ row, column }) => [row, column])).toEqual([
      [2, "a"],
      [2, "b"],
      [4, "a"],
    ]);
  });

  it("shortens a long value", () => {
    const result = parseCsv(`a,b\n1,2\n${"x".repeat(5000)},2\n3,4`);
    expect(result.issues[0]?.value).toHaveLength(80);
  });

  it("rejects an unclosed quote without keeping the file in memory", () => {
    const result = parseCsv(`a,b\n1,"${"2,3\n".repeat(2_000_000)}`);
    expect(result.issues).toMatchObject([{ row: 1, column: "b", code: "unclosed_quote" }]);
    expect(result.issues[0]!.message).toMatch(/^Row 1: the quote that opens/);
  });

  it("rejects an endless line", () => {
    expect(codes(`a,b\n1,${"2".repeat(5_000_000)}`)).toEqual(["row_too_long"]);
    expect(codes("2".repeat(5_000_000))).toEqual(["row_too_long"]);
  });

  it("reports a missing timestamp or category column with the nearest name", () => {
    const result = parseCsv("dteday,x\n2024-01-01,1", { timestamp: "dte_day", categories: ["y"] });
    expect(result.issues).toMatchObject([
      { column: "dte_day", code: "missing_column", nearest: "dteday" },
      { column: "y", code: "missing_column" },
    ]);
  });
});
