import fc from "fast-check";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import { parseCsv } from "#lib/engine/csv/parse";
import { isArchive, readWorkbook } from "#lib/engine/workbooks/read-workbook";
import { DAY_MS, forms, partForms, type Write } from "./time-forms.ts";
import { type Cell, styled, workbook } from "./workbooks.ts";
import { encode } from "./write-dialect.ts";

/** A table in a random format, with the values that it was written from. */
export type RandomTable = {
  bytes: Uint8Array;
  options: CsvOptions;
  /** Text of the file and the choices that made it, for a report. */
  shown: string;
  times: number[];
  /** Null for missing. */
  values: (number | null)[];
  texts: string[];
  /** Number that stands for a missing value in the file. */
  code: number | null;
};

/** Reads a CSV file or a workbook as a whole. */
export function parseTable(bytes: Uint8Array, options: CsvOptions): CsvResult {
  if (!isArchive(bytes)) return parseCsv(bytes, options);
  const reader = new CsvReader(options);
  for (const batch of readWorkbook(bytes, null)) reader.push(batch);
  return reader.finish();
}

const decimal = (value: number, digits: number, mark: string, group: string) => {
  const [whole = "", fraction] = Math.abs(value).toFixed(digits).split(".");
  const grouped = group === "" ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : mark + fraction}`;
};

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;

const latin = ["Köln", "Zürich", "Orléans", "Málaga", "Forlì"];
const japanese = ["東京", "大阪"];
const shiftJis = new Map(
  [..."東京大阪"].map((char, at) => [
    char,
    [
      [0x93, 0x8c],
      [0x8b, 0x9e],
      [0x91, 0xe5],
      [0x8d, 0xe3],
    ][at]!,
  ]),
);
const encodings = {
  "utf-8": (text: string) => encode(text, "utf-8"),
  "utf-16le": (text: string) => encode(text, "utf-16le"),
  "windows-1252": (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0)),
  shift_jis: (text: string) =>
    Uint8Array.from([...text].flatMap((char) => shiftJis.get(char) ?? [char.charCodeAt(0)])),
};

/** Numbers of a column, drawn from a range, with a number of decimals. */
const numbers = fc.record({
  low: fc.constantFrom(0, 0.5, -20, 100, 900, 9_000),
  spread: fc.constantFrom(3, 50, 400, 5_000, 2_000_000),
  digits: fc.constantFrom(0, 0, 1, 2, 3),
  seed: fc.nat(1_000_000),
});

/** Returns whether a code is no likely value of the column. */
function isDistinct(code: string, { low, spread }: { low: number; spread: number }): boolean {
  const value = Number(code);
  if (code === "" || Number.isNaN(value)) return true;
  const distance = Math.max(low - value, value - low - spread);
  return distance > (code === "-200" && low < 0 ? 2.5 : 0.1) * spread;
}

/** Draws tables in random formats: form of times, grouping, marks, delimiter, encoding, codes, and lines around the table. */
export const randomTable: fc.Arbitrary<RandomTable> = fc
  .record({
    rows: fc.integer({ min: 12, max: 70 }),
    from: fc.integer({ min: Date.UTC(1996, 0, 1) / DAY_MS, max: Date.UTC(2027, 0, 1) / DAY_MS }),
    form: fc.constantFrom(
      ...forms.flatMap(([step, writes]) =>
        Object.entries(writes).map(([name, write]) => ({ step, name, write })),
      ),
    ),
    column: numbers,
    marks: fc.constantFrom([".", ""], [".", ""], [",", ""], [",", "."], [".", ","], [",", " "], [".", "'"]),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    encoding: fc.constantFrom("utf-8", "utf-8", "utf-16le", "windows-1252", "shift_jis") as fc.Arbitrary<
      keyof typeof encodings
    >,
    code: fc.constantFrom("", "", "", "-999", "9999", "-200", "NA", "***"),
    above: fc.constantFrom(...Array(8).fill([]), ["Report of sales"], ["Report", "", "Source: office"]),
    below: fc.constantFrom("", "", "", "total", "note"),
    layout: fc.constantFrom("long", "long", "wide", "workbook"),
    typed: fc.boolean(),
    parts: fc.option(fc.constantFrom(...partForms), { freq: 4 }),
  })
  .map(({ rows, from, form, column, marks, delimiter, encoding, code: drawn, layout, ...around }) => {
    const code = isDistinct(drawn, column) ? drawn : "";
    const partsOf = around.parts?.write;
    const isWide = layout === "wide" && partsOf === undefined;
    const typed = around.typed && partsOf === undefined;
    const [above, below] = isWide ? [[], ""] : [around.above, around.below];
    const [mark = ".", wanted = ""] = marks;
    // Files with commas between cells have no points in groups: their locales have decimal points.
    const group = delimiter === "," && wanted === "." ? "" : wanted;
    let state = column.seed;
    const draw = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const { step } = around.parts ?? form;
    const times = Array.from({ length: rows }, (_, row) => step(from * DAY_MS, row));
    // Shift-JIS has no accents.
    const write: Write = (ms) =>
      encoding === "shift_jis"
        ? form
            .write(ms)
            .normalize("NFD")
            .replace(/[\u0300-\u036f]/g, "")
        : form.write(ms);
    const names = partsOf === undefined ? ["t"] : Object.keys(partsOf(0));
    const timeCells = (ms: number) => (partsOf === undefined ? [write(ms)] : Object.values(partsOf(ms)));
    // A code repeats.
    const values = times.map((_, row) =>
      code !== "" && (draw() < 0.1 || row === 3 || row === 7)
        ? null
        : Number((column.low + draw() * column.spread).toFixed(column.digits)),
    );
    const cities = encoding === "shift_jis" ? japanese : latin;
    const texts = times.map((_, row) => cities[isWide ? 0 : row % cities.length]!);
    const number = (value: number | null) =>
      value === null ? code : decimal(value, column.digits, mark, group);
    const line = (cells: string[]) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
    const lines = isWide
      ? [line(["city", ...times.map(write)]), line([cities[0]!, ...values.map(number)])]
      : [
          ...above,
          line([...names, "city", "y"]),
          ...times.map((time, row) =>
            line([...timeCells(time).map(String), texts[row]!, number(values[row]!)]),
          ),
          ...(below === "total" ? [line(["Total", ...names.slice(1).map(() => ""), "", number(sum)])] : []),
          ...(below === "note" ? ["Source: statistics"] : []),
        ];
    const isNumber = code !== "" && !Number.isNaN(Number(code));
    const facts = {
      form: partsOf === undefined ? form.name : names.join(),
      marks,
      delimiter,
      encoding,
      code,
      below,
      layout,
      typed,
    };
    const shape = { kind: "wide" as const, times: times.map(write), valueName: "y" };
    const cellOf = (value: number | null): Cell =>
      value !== null
        ? value
        : code === "NA"
          ? { xml: '<c t="e"><v>#N/A</v></c>' }
          : isNumber
            ? Number(code)
            : code;
    const sheet = () =>
      workbook({
        sheets: {
          Table: [
            ...above.map((text: string) => (text === "" ? null : [text])),
            [...names, "city", "y"],
            ...times.map((time, row): Cell[] => [
              ...(typed ? [styled(time / DAY_MS + 25_569, 1)] : timeCells(time)),
              ...[texts[row]!, cellOf(values[row]!)],
            ]),
            ...(below === "total"
              ? [["Total", ...names.map(() => null), sum]]
              : below === "note"
                ? [["Source: statistics"]]
                : []),
          ],
        },
        formats: ["yyyy-mm-dd hh:mm"],
      });
    return {
      bytes: layout === "workbook" ? sheet() : encodings[encoding](lines.join("\n")),
      options: { timestamp: partsOf === undefined ? "t" : names, target: "y", ...(isWide && { shape }) },
      shown: `${JSON.stringify(facts)}\n${lines.slice(0, 8).join("\n")}`,
      times,
      values,
      texts,
      code: isNumber ? Number(code) : null,
    };
  });
