import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { bytesOf, type CsvOptions, type CsvResult } from "#lib/engine/csv/options";
import { tableChunks } from "#lib/engine/workbooks/table-chunks";
import { openParquet } from "./open-parquet.ts";
import { writeParquet } from "./write-parquet.ts";

async function* pieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(bytes: Uint8Array, options: CsvOptions = {}): Promise<CsvResult> {
  const reader = new CsvReader(options);
  for await (const chunk of tableChunks(pieces(bytes), options)) reader.push(chunk);
  return reader.finish();
}

/** Returns the cells that a Parquet file is read as. */
async function cellsOf(bytes: Uint8Array): Promise<string[]> {
  let text = "";
  for await (const chunk of tableChunks(pieces(bytes), {})) text += new TextDecoder().decode(bytesOf(chunk)!);
  return text.trimEnd().split("\n");
}

const file = (columnData: ColumnSource[], options = {}) =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
const text = (name: string, data: (string | null)[]): ColumnSource => ({ name, data, type: "STRING" });

/** Compressors of files, in place of those that the writer has. */
const gzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const zstd = (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes));
const packed = (codec: string, pack: (bytes: Uint8Array) => Uint8Array) => ({
  codec,
  compressors: { [codec]: pack },
});

describe("a table as Parquet", () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN));
  const time = fc.oneof(fc.integer({ min: -1e12, max: 4e12 }), fc.constant(Number.NaN));
  const texts = ["a", "Möwe", '"', ",", "=1+1", "line\nbreak", " x "];
  const tables = fc
    .array(
      fc.tuple(
        number,
        time,
        fc.constantFrom(0, 1, Number.NaN),
        fc.integer({ min: -1, max: texts.length - 1 }),
      ),
      {
        minLength: 1,
        maxLength: 40,
      },
    )
    .map((rows): Table => {
      const values = (at: 0 | 1 | 2) => Float64Array.from(rows, (row) => row[at]);
      const columns: Column[] = [
        { name: "number", type: "number", values: values(0) },
        { name: "time", type: "timestamp", values: values(1) },
        { name: "truth", type: "boolean", values: values(2) },
        { name: "text", type: "category", codes: Int32Array.from(rows, (row) => row[3]), categories: texts },
      ];
      return { rowCount: rows.length, columns };
    });

  it("reads back to the bit, with another reader and with ours", async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const bytes = Buffer.concat(await Array.fromAsync(writeParquet([table])));
        const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
        const [numbers, times, truths, words] = table.columns as [Column, Column, Column, Column];
        const given = (column: Column, row: number) => {
          if (column.type === "category") return column.categories[column.codes[row]!];
          return Number.isNaN(column.values[row]) ? undefined : column.values[row];
        };
        expect(rows.length).toBe(table.rowCount);
        for (const [row, found] of rows.entries()) {
          expect(found.number ?? undefined).toBe(given(numbers, row));
          expect(found.time?.getTime()).toBe(given(times, row));
          expect(found.truth === null || found.truth === undefined ? undefined : Number(found.truth)).toBe(
            given(truths, row),
          );
          expect(found.text ?? undefined).toBe(given(words, row));
        }
        const columns = table.columns.map(({ name, type }) => ({ name, type, missingAllowed: true }));
        const result = await read(bytes, { columns });
        expect(result.issues).toEqual([]);
        for (const [index, column] of table.columns.entries()) {
          if (column.type !== "category") expect(result.table.columns[index]).toEqual(column);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("splits many rows into row groups, and leaves the thread free between columns", async () => {
    const rowCount = 150_000;
    const columns = ["a", "b"].map(
      (name): Column => ({ name, type: "number", values: new Float64Array(rowCount) }),
    );
    const parts: Uint8Array[] = [];
    for await (const part of writeParquet([{ rowCount, columns }])) parts.push(part);
    expect(parts.length).toBe(5 * 2 + 1);
    const rows = await parquetReadObjects({
      file: new Uint8Array(Buffer.concat(parts)).buffer,
      columns: ["b"],
    });
    expect(rows.length).toBe(rowCount);
  });

  it("has columns without rows", async () => {
    const empty: Column = { name: "x", type: "number", values: new Float64Array() };
    const bytes = Buffer.concat(await Array.fromAsync(writeParquet([{ rowCount: 0, columns: [empty] }])));
    expect(await cellsOf(bytes)).toEqual(["x"]);
    expect((await read(bytes)).issues).toMatchObject([{ code: "no_rows" }]);
  });
});

describe("a Parquet file", () => {
  it("has the cells of a CSV: exact numbers, times in ISO 8601, and nulls empty", async () => {
    const schema = [
      { name: "root", num_children: 8 },
      { name: "id", type: "INT64", repetition_type: "OPTIONAL" },
      {
        name: "price",
        type: "INT64",
        converted_type: "DECIMAL",
        precision: 18,
        scale: 3,
        repetition_type: "OPTIONAL",
      },
      { name: "day", type: "INT32", converted_type: "DATE", repetition_type: "OPTIONAL" },
      {
        name: "local",
        type: "INT64",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" },
        repetition_type: "OPTIONAL",
      },
      { name: "at", type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "OPTIONAL" },
      { name: "open", type: "BOOLEAN", repetition_type: "OPTIONAL" },
      { name: "value", type: "DOUBLE", repetition_type: "OPTIONAL" },
      { name: "shop", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    ];
    const bytes = file(
      [
        { name: "id", data: [9_007_199_254_740_993n, null] },
        { name: "price", data: [-12_340n, null] },
        { name: "day", data: [19_723, null] },
        { name: "local", data: [1_704_067_200_123_456n, null] },
        { name: "at", data: [-1n, null] },
        { name: "open", data: [false, null] },
        { name: "value", data: [1.056, null] },
        { name: "shop", data: ["a, b", null] },
      ],
      { schema },
    );
    expect(await cellsOf(bytes)).toEqual([
      "id,price,day,local,at,open,value,shop",
      '9007199254740993,-12.3400,2024-01-01,2024-01-01T00:00:00.123,1969-12-31T23:59:59.999Z,false,1.0560,"a, b"',
      ",,,,,,,",
    ]);
  });

  it("is read with a dictionary, in several pages and row groups, and in any compression of the service", async () => {
    const data = Array.from({ length: 5_000 }, (_, row) => (row % 7 === 0 ? null : `shop ${row % 5}`));
    const options = [
      { codec: "UNCOMPRESSED" },
      { codec: "SNAPPY" },
      packed("GZIP", gzip),
      packed("ZSTD", zstd),
    ];
    const columns = [
      text("shop", data),
      { name: "row", data: data.map((_, row) => row), type: "INT32" as const },
    ];
    for (const one of options) {
      const bytes = file(columns, { ...one, rowGroupSize: 2_000, pageSize: 1_000 });
      const { table, issues } = await read(bytes);
      expect(issues).toEqual([]);
      expect(table.rowCount).toBe(5_000);
      const [shop, row] = table.columns;
      if (shop?.type !== "category" || row?.type !== "number") throw new Error("Other types");
      expect(Array.from(shop.codes, (code) => shop.categories[code] ?? null)).toEqual(data);
      expect(row.values[4_999]).toBe(4_999);
    }
  });

  it.each([
    [
      "unsupported_compression",
      "x",
      file(
        [text("x", ["a"])],
        packed("LZ4", (bytes) => bytes),
      ),
    ],
    [
      "unsupported_type",
      "x",
      file([{ name: "x", data: [new Uint8Array(3)] }], {
        schema: [
          { name: "root", num_children: 1 },
          { name: "x", type: "FIXED_LEN_BYTE_ARRAY", type_length: 3, repetition_type: "REQUIRED" },
        ],
      }),
    ],
  ])("is rejected with the name of the column: %s", async (code, column, bytes) => {
    const { issues } = await read(bytes);
    expect(issues).toMatchObject([{ code, column }]);
  });

  it("is rejected by name if a column holds lists or structures", async () => {
    const schema = [
      { name: "root", num_children: 1 },
      { name: "prices", num_children: 1, repetition_type: "OPTIONAL", converted_type: "LIST" },
      { name: "list", num_children: 1, repetition_type: "REPEATED" },
      { name: "element", type: "DOUBLE", repetition_type: "OPTIONAL" },
    ];
    const { issues } = await read(file([{ name: "prices", data: [[1, 2]] }], { schema }));
    expect(issues).toMatchObject([{ code: "nested_column", column: "prices", row: null }]);
  });
});

describe("a hostile Parquet file", () => {
  const sound = file([text("shop", ["a", "b", "a"]), { name: "sold", data: [1, 2, 3], type: "DOUBLE" }]);

  /** `PARQUET_RUNS=20000 npx vitest run parquet.test` tries more changes. */
  it("is damaged or read, but never fails otherwise, whichever bytes change", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 5, max: sound.length - 1 }), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (changes) => {
          const bytes = sound.slice();
          for (const [at, value] of changes) bytes[at] = value;
          const { issues } = await read(bytes);
          for (const { message } of issues) expect(message).toMatch(/\.$/);
        },
      ),
      { numRuns: Number(process.env.PARQUET_RUNS ?? 500) },
    );
  });

  it("is damaged wherever it ends", async () => {
    for (let length = 5; length < sound.length; length++) {
      expect((await read(sound.slice(0, length))).issues).toMatchObject([{ code: "broken_parquet" }]);
    }
  });

  it("is rejected before a page unpacks to more than it declares, or all pages to more than the limit", async () => {
    const bomb = gzip(Buffer.alloc(64 * 1_048_576));
    const zeros = [{ name: "x", data: Array.from({ length: 1_000 }, () => 0), type: "DOUBLE" as const }];
    expect(
      (
        await read(
          file(
            zeros,
            packed("GZIP", () => bomb),
          ),
        )
      ).issues,
    ).toMatchObject([{ code: "broken_parquet" }]);
    const sizes = { ...packed("ZSTD", zstd), rowGroupSize: 10 };
    const many = file([{ name: "x", data: new Float64Array(1_000), encoding: "PLAIN" }], sizes);
    expect(openParquet(many, 8_000).rowCount).toBe(1_000);
    expect(() => openParquet(many, 7_999)).toThrow(/MiB when it is unpacked/);
  });
});
