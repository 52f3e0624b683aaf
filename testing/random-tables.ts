import fc from "fast-check";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import { parseCsv } from "#lib/engine/csv/parse";
import { isArchive, readWorkbook } from "#lib/engine/workbooks/read-workbook";
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

const DAY_MS = 86_400_000;
const two = (value: number) => String(value).padStart(2, "0");
const parts = (ms: number) => {
  const at = new Date(ms);
  const [y, m, d, h, i] = [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
  ];
  return { y, m, d, h, i, yy: two(y % 100), mm: two(m), dd: two(d), hh: two(h), ii: two(i) };
};
const isoWeek = (ms: number) => {
  const thursday = ms + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  return `${year} ${two(Math.floor((thursday - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1)}`;
};

type Write = (ms: number) => string;
const locales = ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL", "pt-BR"];
const named = (locale: string, options: Intl.DateTimeFormatOptions): Write => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  return (ms) => format.format(ms);
};

const dayForms: Record<string, Write> = {
  iso: (ms) => new Date(ms).toISOString().slice(0, 10),
  "iso time": (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " "),
  "y-m-d": (ms) => `${parts(ms).y}-${parts(ms).m}-${parts(ms).d}`,
  "y.mm.dd": (ms) => `${parts(ms).y}.${parts(ms).mm}.${parts(ms).dd}`,
  "d.m.y": (ms) => `${parts(ms).d}.${parts(ms).m}.${parts(ms).y}`,
  "dd.mm.yy": (ms) => `${parts(ms).dd}.${parts(ms).mm}.${parts(ms).yy}`,
  "m/d/y": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).y}`,
  "d/m/y": (ms) => `${parts(ms).dd}/${parts(ms).mm}/${parts(ms).y}`,
  "m/d/yy": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).yy}`,
  "d/m/yy": (ms) => `${parts(ms).dd}/${parts(ms).mm}/${parts(ms).yy}`,
  "yy-mm-dd": (ms) => `${parts(ms).yy}-${parts(ms).mm}-${parts(ms).dd}`,
  yyyymmdd: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}`,
  ddmmyyyy: (ms) => `${parts(ms).dd}${parts(ms).mm}${parts(ms).y}`,
  mmddyyyy: (ms) => `${parts(ms).mm}${parts(ms).dd}${parts(ms).y}`,
  yymmdd: (ms) => `${parts(ms).yy}${parts(ms).mm}${parts(ms).dd}`,
  ddmmyy: (ms) => `${parts(ms).dd}${parts(ms).mm}${parts(ms).yy}`,
  mmddyy: (ms) => `${parts(ms).mm}${parts(ms).dd}${parts(ms).yy}`,
  "mmm-dd": (ms) => `${new Date(ms).toUTCString().slice(8, 11)}-${parts(ms).dd}`,
  "epoch s": (ms) => String(ms / 1000),
  "epoch ms": String,
  ...Object.fromEntries(
    locales.flatMap((locale) => [
      [`${locale} long`, named(locale, { dateStyle: "long" })],
      [
        `${locale} full`,
        named(locale, { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
      ],
    ]),
  ),
};
const hourForms: Record<string, Write> = {
  iso: (ms) => new Date(ms).toISOString(),
  "d.m.y h:m": (ms) => `${parts(ms).d}.${parts(ms).m}.${parts(ms).y} ${parts(ms).hh}:${parts(ms).ii}`,
  "m/d/y h:m": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).y} ${parts(ms).hh}:${parts(ms).ii}`,
  yyyymmddhh: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}${parts(ms).hh}`,
  // The hour before, from 01 to 24.
  "yyyymmdd01 to 24": (ms) => {
    const { y, mm, dd, h } = parts(ms - 3_600_000);
    return `${y}${mm}${dd}${two(h + 1)}`;
  },
  yyyymmddhhmi: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}${parts(ms).hh}${parts(ms).ii}`,
  "epoch s": (ms) => String(ms / 1000),
  "epoch ms": String,
};
const { yyyymmddhh: _, "yyyymmdd01 to 24": __, ...minuteForms } = hourForms;
const monthForms: Record<string, Write> = {
  "yyyy-mm": (ms) => `${parts(ms).y}-${parts(ms).mm}`,
  "yyyy/mm": (ms) => `${parts(ms).y}/${parts(ms).mm}`,
  yyyymm: (ms) => `${parts(ms).y}${parts(ms).mm}`,
  yymm: (ms) => `${parts(ms).yy}${parts(ms).mm}`,
  "mm.yyyy": (ms) => `${parts(ms).mm}.${parts(ms).y}`,
  "m/yyyy": (ms) => `${parts(ms).m}/${parts(ms).y}`,
  yyyyMmm: (ms) => `${parts(ms).y}M${parts(ms).mm}`,
  "year, middle": (ms) => (parts(ms).y + (parts(ms).m - 0.5) / 12).toFixed(4),
  "year, start": (ms) => (parts(ms).y + (parts(ms).m - 1) / 12).toFixed(3),
  ...Object.fromEntries(
    locales.map((locale) => [`${locale} month`, named(locale, { month: "long", year: "numeric" })]),
  ),
};
const quarter = (ms: number) => Math.ceil(parts(ms).m / 3);
const forms: [step: (from: number, row: number) => number, Record<string, Write>][] = [
  [(from, row) => from + row * DAY_MS, dayForms],
  [(from, row) => from + row * 3_600_000, hourForms],
  [(from, row) => from + row * 600_000, minuteForms],
  [(from, row) => Date.UTC(parts(from).y, parts(from).m - 1 + row, 1), { ...monthForms, ...dayForms }],
  [
    (from, row) => Math.floor((from / DAY_MS + 3) / 7) * 7 * DAY_MS - 3 * DAY_MS + row * 7 * DAY_MS,
    {
      ...dayForms,
      yyyyww: (ms) => isoWeek(ms).replace(" ", ""),
      yyww: (ms) => isoWeek(ms).replace(" ", "").slice(2),
      "yyyy-Www": (ms) => isoWeek(ms).replace(" ", "-W"),
      "yyyy-ww": (ms) => isoWeek(ms).replace(" ", "-"),
      "ww/yyyy": (ms) => isoWeek(ms).split(" ").reverse().join("/"),
      "KW w yyyy": (ms) => `KW ${Number(isoWeek(ms).slice(5))} ${isoWeek(ms).slice(0, 4)}`,
    },
  ],
  [
    (from, row) => Date.UTC(parts(from).y, 3 * row, 1),
    {
      yyyyQq: (ms) => `${parts(ms).y}Q${quarter(ms)}`,
      "Qq yyyy": (ms) => `Q${quarter(ms)} ${parts(ms).y}`,
      yyyyq: (ms) => `${parts(ms).y}${quarter(ms)}`,
      yyyy0q: (ms) => `${parts(ms).y}0${quarter(ms)}`,
      "yyyy-q": (ms) => `${parts(ms).y}-${quarter(ms)}`,
    },
  ],
  [
    (from, row) => Date.UTC(parts(from).y - 30 + row, 0, 1),
    {
      yyyy: (ms) => String(parts(ms).y),
      "yyyy-yy": (ms) => `${parts(ms).y}-${two((parts(ms).y + 1) % 100)}`,
      "yyyy/y": (ms) => `${parts(ms).y}/${(parts(ms).y + 1) % 10}`,
      "yyyy/yyyy": (ms) => `${parts(ms).y}/${parts(ms).y + 1}`,
    },
  ],
];

type PartForm = { step: (typeof forms)[number][0]; write: (ms: number) => Record<string, number | string> };
const [dayStep, hourStep, , monthStep, weekStep, quarterStep] = forms.map(([step]) => step);

/** Times in several columns. Names that say nothing stand in an order that the values or the documentation decide. */
const partForms: PartForm[] = [
  { step: monthStep!, write: (ms) => ({ year: parts(ms).y, month: parts(ms).m }) },
  { step: monthStep!, write: (ms) => ({ a: parts(ms).m, b: parts(ms).y }) },
  {
    step: monthStep!,
    write: (ms) => ({ Monat: new Date(ms).toUTCString().slice(8, 11), Jahr: parts(ms).y }),
  },
  { step: quarterStep!, write: (ms) => ({ q: quarter(ms), year: parts(ms).y }) },
  {
    step: weekStep!,
    write: (ms) => ({ week: Number(isoWeek(ms).slice(5)), year: Number(isoWeek(ms).slice(0, 4)) }),
  },
  { step: dayStep!, write: (ms) => ({ day: parts(ms).d, month: parts(ms).m, year: parts(ms).y }) },
  { step: dayStep!, write: (ms) => ({ year: parts(ms).y, day: parts(ms).d, month: parts(ms).m }) },
  { step: dayStep!, write: (ms) => ({ a: parts(ms).d, b: parts(ms).m, c: parts(ms).y }) },
  { step: dayStep!, write: (ms) => ({ a: parts(ms).m, b: parts(ms).d, c: parts(ms).y }) },
  {
    step: hourStep!,
    write: (ms) => ({ hour: parts(ms).h, day: parts(ms).d, month: parts(ms).m, year: parts(ms).y }),
  },
];

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
