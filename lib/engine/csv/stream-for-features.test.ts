import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import type { CsvCheck, ExpectedFeature } from "./check-against.ts";
import { CsvReader } from "./csv-reader.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import { parseCsv } from "./parse.ts";
import { type FeatureFormat, readForFeatures } from "./read-for-features.ts";
import { streamForFeatures } from "./stream-for-features.ts";

const features: ExpectedFeature[] = [
  { name: "day", type: "timestamp", role: "timestamp", required: true },
  { name: "x", type: "number", role: "input", required: true, min: 0, max: 5 },
  { name: "kind", type: "category", role: "input", required: false, categories: ["a", "b"] },
  { name: "open", type: "boolean", role: "input", required: false, min: 0, max: 0 },
];
const format: FeatureFormat = {
  timestampColumns: ["day"],
  timezone: "Europe/Berlin",
  dateOrder: null,
  missing: [],
};

const day = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.integer({ min: 1, max: 28 }).map((n) => `2024-03-${String(n).padStart(2, "0")}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "x", "2024-03-31 02:30", "2024-10-27 02:30", "2024-01-01T00:00Z"),
  },
);
const cells = fc.tuple(
  day,
  fc.oneof({ weight: 20, arbitrary: fc.integer({ min: -1, max: 9 }).map(String) }, fc.constantFrom("", "?")),
  fc.constantFrom("a", "b", "c", "d", "", "é"),
  fc.constantFrom("true", "false", "0", "", "maybe"),
);
const line = fc.oneof(
  { weight: 15, arbitrary: cells.map((row) => row.join(",")) },
  fc.constantFrom("", "1,2", '2024-03-01,"1",a,true', '"'),
);
const files = fc.array(line, { maxLength: 40 }).map((lines) => `day,x,kind,open\n${lines.join("\n")}\n`);

/** Reads rows as early as possible. */
const inBlocks = (text: string, size: number) =>
  async function* (options: CsvOptions): AsyncGenerator<Table, CsvResult> {
    const reader = new CsvReader(options);
    const bytes = new TextEncoder().encode(text);
    for (let from = 0; from < bytes.length; from += size) {
      reader.push(bytes.subarray(from, from + size));
      const rows = reader.rowsHeld > 0 ? reader.takeRows() : null;
      if (rows !== null) yield rows;
    }
    return reader.finish();
  };

async function collect(rows: AsyncGenerator<Table, CsvCheck>): Promise<{ check: CsvCheck; tables: Table[] }> {
  const tables: Table[] = [];
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return { check: value, tables };
    tables.push(value);
  }
}

const cellsOf = (column: Column): (string | number | null)[] =>
  column.type === "category"
    ? Array.from(column.codes, (code) => column.categories[code] ?? null)
    : Array.from(column.values);
const rowsOf = (tables: Table[]) =>
  tables[0]!.columns.map((_, index) => tables.flatMap(({ columns }) => cellsOf(columns[index]!)));

/** More than the first piece. Rows are yielded after it. */
const many = (row: (index: number) => string, count = 30_000) =>
  Array.from({ length: count }, (_, index) => row(index)).join("\n");
const minute = (index: number) => new Date(Date.UTC(1990, 0, 1) + index * 60_000).toISOString().slice(0, 16);

describe("streamForFeatures", () => {
  it("yields the rows, issues and warnings of the whole file, for any block size", async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 200 }), async (text, size) => {
        // A valid head longer than a piece, so that rows arrive in several parts.
        const head = many((index) => `${minute(index)},${index % 6},${index % 2 ? "a" : "b"},0`, 15_000);
        const whole = text.replace("\n", `\n${head}\n`);
        const { check, file } = await readForFeatures(async (how) => parseCsv(whole, how), features, format);
        const read = await collect(streamForFeatures(inBlocks(whole, 60_000 + size * 400), features, format));
        expect(read.check).toEqual(check);
        if (check.valid) expect(rowsOf(read.tables)).toEqual(rowsOf([file.table]));
      }),
      { numRuns: 15 },
    );
  });

  it("yields a long file in parts, and in one part if dates need all rows", async () => {
    const iso = `day,x,kind,open\n${many((index) => `${minute(index)},${index % 9},k${index % 7},1`)}\n`;
    const parts = await collect(streamForFeatures(inBlocks(iso, 100_000), features, format));
    expect(parts.tables.length).toBeGreaterThan(3);
    expect(parts.check).toMatchObject({ valid: true, rowCount: 30_000 });
    const whole = await readForFeatures(async (how) => parseCsv(iso, how), features, format);
    expect(parts.check).toEqual(whole.check);
    expect(rowsOf(parts.tables)).toEqual(rowsOf([whole.file.table]));

    const packed = `day,x\n${many((index) => `${1 + (index % 12)}/${1 + (index % 12)}/${1100 + Math.floor(index / 12)},1`)}\n`;
    const few = await collect(streamForFeatures(inBlocks(packed, 100_000), features.slice(0, 2), format));
    expect(few.tables.map(({ rowCount }) => rowCount)).toEqual([30_000]);
    expect(few.check.valid).toBe(true);
  });

  it("joins date and hour, or reads complete times, as readForFeatures does", async () => {
    const joined: FeatureFormat = { ...format, timestampColumns: ["day", "hour"] };
    const both = "day,hour,x\n2024-01-01,0,1\n2024-01-01,1,2\n";
    const complete = both.replace(",hour", "").replace(/-01,(\d),/g, "-01T0$1:00,");
    for (const text of [both, complete]) {
      const { check, file } = await readForFeatures(
        async (how) => parseCsv(text, how),
        features.slice(0, 2),
        joined,
      );
      const read = await collect(streamForFeatures(inBlocks(text, 10), features.slice(0, 2), joined));
      expect(read.check).toEqual(check);
      expect(check.valid).toBe(true);
      expect(rowsOf(read.tables.slice(-1))).toEqual(rowsOf([file.table]));
    }
  });
});
