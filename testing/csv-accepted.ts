import {
  type CaseRow,
  type CellFormats,
  caseRows,
  cellsOf,
  day,
  withDecimalComma,
  withExtraColumns,
} from "./csv-case-rows.ts";
import { naughtyTexts } from "./hostile-texts.ts";
import { type Dialect, dialects, encode, writeDialect } from "./write-dialect.ts";

type AcceptCase = {
  name: string;
  bytes: Uint8Array;
  rows: CaseRow[];
  /** Reads as these rows only if the column types are known, so not as a new dataset. */
  declared?: true;
  /** Further combination of a dialect, whose pairs of delimiter, line end and encoding occur in other cases. */
  isCombination?: true;
};

function written(
  name: string,
  formats: CellFormats,
  dialect: Partial<Dialect> = {},
  rows = caseRows,
): AcceptCase {
  return { name, bytes: writeDialect(cellsOf(rows, formats), dialect), rows };
}

/** Creates a case from a handwritten file. By default, the file contains `caseRows`. */
function text(name: string, file: string, rows = caseRows): AcceptCase {
  return { name, bytes: encode(file, "utf-8"), rows };
}

const cities = (values: (string | null)[]): CaseRow[] =>
  values.map((city, index) => ({
    when: new Date(Date.UTC(2024, 2, 1 + index)).toISOString(),
    temp: index / 4,
    city,
    open: index % 2 === 0,
    load: index,
  }));

/** Excludes texts with an apostrophe before a formula sign, because a reader removes it as the escape of an export. */
const rawTexts = naughtyTexts.filter((text) => !/^'+[=-]/.test(text));

const plain = new TextDecoder().decode(writeDialect(cellsOf(caseRows)));
const lines = plain.trimEnd().split("\n");

const dialectCases: AcceptCase[] = dialects.delimiter.flatMap((delimiter, first) =>
  dialects.newline.flatMap((newline, second) =>
    dialects.encoding.map((encoding, third): AcceptCase => {
      const name = `${JSON.stringify(delimiter)} ${JSON.stringify(newline)} ${encoding}`;
      const dialect = { delimiter, newline, encoding, quoteAll: third % 2 === 1, lastNewline: third < 2 };
      const isCombination = (first + third) % dialects.newline.length !== second;
      return { ...written(name, {}, dialect), ...(isCombination && { isCombination }) };
    }),
  ),
);

const times: [string, (iso: string) => string][] = [
  ["dates without a time", (iso) => iso.slice(0, 10)],
  ["ISO without a zone", (iso) => iso.slice(0, 19)],
  ["ISO with a space and minutes", (iso) => iso.slice(0, 16).replace("T", " ")],
  [
    "ISO with different offsets",
    (iso) => (iso < "2024-03-15" ? iso.replace("T00", "T02").replace("Z", "+02:00") : iso),
  ],
  ["ISO with slashes", (iso) => iso.slice(0, 10).replaceAll("-", "/")],
  ["M/D/YYYY", (iso) => `${Number(iso.slice(5, 7))}/${Number(iso.slice(8, 10))}/2024`],
  ["D.M.YYYY", (iso) => `${Number(iso.slice(8, 10))}.${Number(iso.slice(5, 7))}.2024`],
  ["DD-MM-YYYY with a time", (iso) => `${iso.slice(8, 10)}-${iso.slice(5, 7)}-2024 00:00`],
  ["epoch seconds", (iso) => String(Date.parse(iso) / 1000)],
  ["epoch milliseconds", (iso) => String(Date.parse(iso))],
  ["a 12-hour clock with AM", (iso) => `${iso.slice(0, 10)} 12:00 AM`],
];

const manyNames = Array.from({ length: 3_000 }, (_, index) => `extra ${index}`);
const ordinaryNames = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length"];
export const acceptCases: AcceptCase[] = [
  ...dialectCases,
  ...times.map(([name, when]) => written(`times as ${name}`, { when })),
  ...dialects.delimiter
    .filter((delimiter) => delimiter !== ",")
    .map((delimiter) =>
      written(
        `a decimal comma with the delimiter ${JSON.stringify(delimiter)}`,
        { number: withDecimalComma },
        { delimiter },
      ),
    ),
  written("numbers with exponents", { number: (value) => value.toExponential() }),
  written("numbers with signs and zeros", {
    number: (value) => (value < 0 ? String(value) : `+00${value}0`.replace(/(\+00\d+)0$/, "$1")),
  }),
  written("TRUE and False", { open: (value) => (value ? "TRUE" : "False") }),
  { ...written("1 and 0", { open: (value) => String(Number(value)) }), declared: true },
  text("Excel's separator line", `sep=;\r\n${lines.map((line) => line.replaceAll(",", ";")).join("\r\n")}`),
  { name: "Windows-1252", bytes: Uint8Array.from(plain, (char) => char.charCodeAt(0)), rows: caseRows },
  text("blank lines before, between and after", `\n\n${lines.join("\n\n \n")}\n\n\n`),
  text(
    "white space around cells and names",
    lines.map((line) => line.split(",").join(" ,\u00A0 ")).join("\n"),
  ),
  text("mixed line ends", lines.map((line, at) => line + (at % 2 === 0 ? "\r\n" : "\n")).join("")),
  text("a byte order mark inside the header", plain.replace("temp", "\uFEFFtemp\uFEFF")),
  {
    name: "columns in another order",
    bytes: writeDialect(cellsOf(caseRows, {}, ["load", "open", "city", "when", "temp"])),
    rows: caseRows,
  },
  { name: "3,000 more columns", bytes: writeDialect(withExtraColumns(caseRows, manyNames)), rows: caseRows },
  {
    name: "columns named like properties of every object",
    bytes: writeDialect(withExtraColumns(caseRows, ordinaryNames)),
    rows: caseRows,
  },
  {
    name: "names that differ only in case or accents",
    bytes: writeDialect(withExtraColumns(caseRows, ["Temp", "TEMP", "é", "e\u0301", "te mp"])),
    rows: caseRows,
  },
  written("one row", {}, {}, caseRows.slice(0, 1)),
  written("naughty texts", {}, {}, cities(rawTexts)),
  written("naughty texts in UTF-16 and CR", {}, { encoding: "utf-16le", newline: "\r" }, cities(rawTexts)),
  written(
    "quoted line ends of every kind",
    {},
    { quoteAll: true },
    cities(["a\nb", "a\r\nb", "a\rb", "a\u2028b"]),
  ),
  written("JSON in a cell", {}, {}, cities(['{"type":"Point","coordinates":[102.0,0.5]}', "[]"])),
  text(
    "a quote in the middle of a cell",
    'when,temp,city,open,load\n2024-03-01,1,5" pipe,true,1\n2024-03-02,2,6" pipe,false,2\n',
    [
      { when: day("2024-03-01"), temp: 1, city: '5" pipe', open: true, load: 1 },
      { when: day("2024-03-02"), temp: 2, city: '6" pipe', open: false, load: 2 },
    ],
  ),
  text(
    "formulas that an export has escaped",
    "when,temp,city,open,load\n2024-03-01,-1.5,'=1+1,true,1\n2024-03-02,2,''-,false,2\n",
    [
      { when: day("2024-03-01"), temp: -1.5, city: "=1+1", open: true, load: 1 },
      { when: day("2024-03-02"), temp: 2, city: "'-", open: false, load: 2 },
    ],
  ),
  text(
    "categories that look like numbers",
    "when,temp,city,open,load\n2024-03-01,1,053111,true,1\n2024-03-02,2,1e3,false,2\n",
    [
      { when: day("2024-03-01"), temp: 1, city: "053111", open: true, load: 1 },
      { when: day("2024-03-02"), temp: 2, city: "1e3", open: false, load: 2 },
    ],
  ),
];
