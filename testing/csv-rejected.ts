import { gzipSync, zstdCompressSync } from "node:zlib";
import type { Issue } from "#lib/engine/csv/issues";
import { type CaseRow, caseColumns, caseRows, cellsOf, day, withExtraColumns } from "./csv-case-rows.ts";
import { encode, writeDialect } from "./write-dialect.ts";

type ExpectedIssue = Pick<Issue, "row" | "column" | "value" | "code"> & { expected?: string };

type RejectCase = {
  name: string;
  bytes: Uint8Array;
  issues: ExpectedIssue[];
  /** The same values as JSON; missing if JSON cannot have the issue. */
  input?: Record<string, unknown[]>;
  /** The issue concerns the file or its header. It is reported before any row is read, also for an upload. */
  ofFile?: true;
  /** The issue depends on the model's columns, their types, or the order of its timestamps. */
  ofModel?: true;
};

const number = "a number";
const time = "a date or time such as 2024-03-31 or 2024-03-31T14:00:00Z";

/** Rows without missing values, so that a file of them has only the issue that a case adds. */
const soundRows: CaseRow[] = caseRows.map((row) => ({
  ...row,
  temp: row.temp ?? 4,
  city: row.city ?? "Bonn",
}));

/** Creates a case of the sound rows with an invalid cell in row 2. */
function badCell(
  column: (typeof caseColumns)[number],
  value: string,
  issue: Pick<Issue, "code"> & { expected: string; value?: string | null },
  more: Partial<RejectCase> = {},
): RejectCase {
  const rows = cellsOf(soundRows).map((row, at) =>
    row.map((cell, index) => (at === 2 && caseColumns[index] === column ? value : cell)),
  );
  const input = Object.fromEntries(
    caseColumns.map((name) => [
      name,
      soundRows.map((row, at) => (at === 1 && name === column ? value : row[name])),
    ]),
  );
  const bytes = writeDialect(rows);
  return { name: `${column} ${value}`, bytes, input, issues: [{ row: 2, column, value, ...issue }], ...more };
}

const badNumbers: [Issue["code"], string[]][] = [
  ["not_a_number", ["abc", "--1", "1e", "1_000", "١٢", "１２", "½", "1 2", "true", "N/A", "NA", "null", "-"]],
  ["number_with_unit", ["12%", "$5"]],
  ["not_finite", ["NaN", "nan", "Inf", "-Infinity", "+inf"]],
  ["number_out_of_range", ["1e400", "-1e309", `1${"0".repeat(70)}e300`]],
  ["hexadecimal_number", ["0x1F", "-0X0", "0b11", "0o17"]],
  ["digit_grouping", ["1,5", "1,234.5", "1 234", "1'234", "1.234.567"]],
];

const badTimes: [Issue["code"], string[]][] = [
  ["not_a_timestamp", ["yesterday", "14 March", "2024-W54", "12:00", "3/14/24"]],
  ["not_a_timestamp", ["14.3.2024", "1710374400"]],
  ["invalid_date", ["2024-02-30", "2024-13-01", "2024-00-10", "2024-3-32", "2024-03-14T24:00:00Z"]],
  ["invalid_date", ["2024-03-14T23:59:60Z", "2024-03-14T10:60:00Z", "2024-03-14T10:00:00+25:00"]],
  [
    "invalid_date",
    ["0000-03-14T00:00:00Z", "0999-12-31T23:59:59Z", "10000-03-14T00:00:00Z", "-0001-03-14T00:00:00Z"],
  ],
  ["not_a_timestamp", ["20240314", "45365", "202403"]],
  ["mixed_zones", ["2024-03-14", "2024-3-14", "2024-03-14T00:00:00"]],
];

const body = (name: string, file: string | Uint8Array, issues: ExpectedIssue[]): RejectCase => ({
  name,
  bytes: typeof file === "string" ? encode(file, "utf-8") : file,
  issues,
});
const ofFile = (
  name: string,
  file: string | Uint8Array,
  code: Issue["code"],
  more: Partial<ExpectedIssue> = {},
) => ({
  ...body(name, file, [{ row: null, column: null, value: null, code, ...more }]),
  ofFile: true as const,
});

const sound = new TextDecoder().decode(writeDialect(cellsOf(soundRows)));
/** The sound file with a byte of Latin-1 after the first city, which is UTF-8. */
const brokenUtf8 = (() => {
  const bytes = encode(sound, "utf-8");
  const at = sound.slice(0, sound.indexOf("2024-03-15")).length + 12;
  return new Uint8Array([...bytes.subarray(0, at), 0xe9, ...bytes.subarray(at)]);
})();
const withColumns = (...names: string[]) => writeDialect(withExtraColumns(soundRows, names));
const withTimes = (texts: string[]) =>
  writeDialect(cellsOf(soundRows).map((row, at) => (at === 0 ? row : [texts[at - 1]!, ...row.slice(1)])));
const timesAsInput = (when: string[]) =>
  Object.fromEntries(
    caseColumns.map((name) => [name, name === "when" ? when : soundRows.map((row) => row[name])]),
  );
const badSeries = (name: string, texts: string[], issues: ExpectedIssue[]): RejectCase => ({
  ...body(name, withTimes(texts), issues),
  input: timesAsInput(texts),
});
const magic = (...head: (number | string)[]) =>
  Uint8Array.from([
    ...head.flatMap((part) =>
      typeof part === "number" ? [part] : Array.from(part, (char) => char.charCodeAt(0)),
    ),
    ...encode(sound, "utf-8"),
  ]);

export const rejectCases: RejectCase[] = [
  ...badNumbers.flatMap(([code, texts]) =>
    texts.map((text) => badCell("temp", text, { code, expected: number })),
  ),
  ...badTimes.flatMap(([code, texts]) =>
    texts.map((text) => badCell("when", text, { code, expected: time })),
  ),
  badCell("when", "", { code: "missing_value", expected: time, value: null }),
  badCell("open", "maybe", { code: "not_a_boolean", expected: "true or false" }, { ofModel: true }),
  badCell("open", "", { code: "missing_value", expected: "true or false", value: null }, { ofModel: true }),
  badSeries(
    "ambiguous days and months",
    ["01/02/2024", "03/02/2024 ", "04/05/2024", "06/07/2024"],
    [{ row: 1, column: "when", value: "01/02/2024", code: "ambiguous_date", expected: time }],
  ),
  badSeries(
    "a month 13 among dates with the day first",
    ["13/1/2024", "14/1/2024", "1/13/2024", "16/1/2024"],
    [{ row: 3, column: "when", value: "1/13/2024", code: "invalid_date", expected: time }],
  ),
  ofFile("an empty file", "", "empty_file"),
  ofFile("only blank lines", "\n \r\n\n", "empty_file"),
  ofFile("only a header", "when,temp,city,open,load\n", "no_rows"),
  ofFile("a repeated name", withColumns("temp"), "duplicate_header", { column: "temp" }),
  ofFile("a repeated name with white space", withColumns(" \uFEFFtemp "), "duplicate_header", {
    column: "temp",
  }),
  ofFile("an empty name", withColumns(""), "empty_header"),
  ofFile("a name of 1,001 characters", withColumns("c".repeat(1_001)), "name_too_long", {
    value: `${"c".repeat(79)}…`,
  }),
  ofFile(
    "20,001 columns",
    withColumns(...Array.from({ length: 19_996 }, (_, index) => `x${index}`)),
    "too_many_columns",
  ),
  ofFile("gzip", gzipSync(sound), "compressed_file"),
  ofFile("zstd", zstdCompressSync(sound), "compressed_file"),
  ofFile("zip or xlsx", magic("PK", 3, 4, 20, 0), "compressed_file"),
  ofFile("an empty zip", magic("PK", 5, 6, 0, 0), "compressed_file"),
  ofFile("bzip2", magic("BZh9", "1AY&SY"), "compressed_file"),
  ofFile("7z", magic("7z", 0xbc, 0xaf, 0x27, 0x1c), "compressed_file"),
  ofFile("xls", magic(0xd0, 0xcf, 0x11, 0xe0), "unsupported_encoding"),
  ofFile("a PDF", magic("%PDF-1.7\n"), "unsupported_encoding"),
  ofFile("a PNG image", magic(0x89, "PNG\r\n", 0x1a, "\n"), "unsupported_encoding"),
  ofFile("an SQLite database", magic("SQLite format 3", 0), "unsupported_encoding"),
  ofFile("a web page", "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>", "unsupported_encoding"),
  ofFile("JSON", `[\n  { "date": "2024-01-01" }\n]`, "unsupported_encoding"),
  ofFile("NUL in the header", sound.replace("city", "ci\0ty"), "nul_character"),
  ofFile("UTF-16 without a byte order mark", encode(sound, "utf-16le").subarray(2), "nul_character"),
  body("NUL in a row", sound.replace("Köln", "K\0ln"), [
    { row: 2, column: null, value: null, code: "nul_character" },
  ]),
  body("a byte that is not UTF-8, after a character of UTF-8", brokenUtf8, [
    { row: 3, column: null, value: null, code: "invalid_encoding" },
  ]),
  body("half a character at the end of UTF-16", encode(sound, "utf-16be").subarray(0, -1), [
    { row: 4, column: null, value: null, code: "invalid_encoding" },
  ]),
  body("a short row", sound.replace(",false,12.25", ",false"), [
    {
      row: 2,
      column: null,
      value: "2024-03-14T00:00:00.000Z,-2,Köln,false",
      code: "ragged_row",
      expected: "5 values",
    },
  ]),
  body("a long row", sound.replace("12.25", "12.25,"), [
    {
      row: 2,
      column: null,
      value: "2024-03-14T00:00:00.000Z,-2,Köln,false,12.25,",
      code: "ragged_row",
      expected: "5 values",
    },
  ]),
  body("an unclosed quote", sound.replace("Köln", '"Köln'), [
    { row: 2, column: "city", value: '"Köln,false,12.25', code: "unclosed_quote" },
  ]),
  body("text after a closing quote", sound.replace("Köln", '"Kö"ln'), [
    { row: 2, column: null, value: '"Kö"ln,false,12.25', code: "malformed_quote" },
  ]),
  body(
    "every issue of every row",
    sound.replace("-2", "NaN").replace("7\n", "7\n2024-04-01T00:00:00.000Z,0x1,,true,1,2\nx,y,,true,1\n"),
    [
      { row: 2, column: "temp", value: "NaN", code: "not_finite" },
      { row: 5, column: null, value: "2024-04-01T00:00:00.000Z,0x1,,true,1,2", code: "ragged_row" },
      { row: 6, column: "when", value: "x", code: "not_a_timestamp" },
      { row: 6, column: "temp", value: "y", code: "not_a_number" },
    ],
  ),
  {
    ...ofFile("a missing column", sound.replace("temp", "tmep"), "missing_column", {
      column: "temp",
      expected: 'a column "temp" of type number',
    }),
    ofModel: true,
    input: Object.fromEntries(
      caseColumns.map((name) => [name === "temp" ? "tmep" : name, soundRows.map((row) => row[name])]),
    ),
  },
  {
    ...body(
      "times that decrease or repeat",
      withTimes(["2024-03-02", "2024-03-01", "2024-03-03", "2024-03-03"]),
      [
        {
          row: 2,
          column: "when",
          value: day("2024-03-01"),
          code: "timestamps_unsorted",
          expected: `a time after ${day("2024-03-02")}`,
        },
        {
          row: 4,
          column: "when",
          value: day("2024-03-03"),
          code: "timestamps_duplicate",
          expected: "each time once",
        },
      ],
    ),
    ofModel: true,
  },
];
