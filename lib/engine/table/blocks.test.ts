import fc from "fast-check";
import { expect, test } from "vitest";
import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { BLOCK_ROWS, BLOCK_VALUES, blocksOf, decodeBlocks, encodeBlock } from "./blocks.ts";
import { concatTables } from "./concat.ts";

const value = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, -0, 1, 300));
const block = fc
  .array(fc.tuple(value, fc.constantFrom("a", "b", "é", null)), { maxLength: 20 })
  .map((rows): Table => {
    const categories = [...new Set(rows.flatMap(([, text]) => text ?? []))];
    const codes = Int32Array.from(rows, ([, text]) => (text === null ? -1 : categories.indexOf(text)));
    const columns: Column[] = [
      { name: "x", type: "number", values: Float64Array.from(rows, ([x]) => x) },
      { name: "c", type: "category", codes, categories },
    ];
    return { rowCount: rows.length, columns };
  });
const blocks = fc.array(block, { minLength: 1, maxLength: 5 });

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(bytes: Uint8Array, size: number): Promise<Table[]> {
  const tables: Table[] = [];
  for await (const table of decodeBlocks(inChunks(bytes, size))) tables.push(table);
  return tables;
}

const joined = (tables: Table[]) => Buffer.concat(tables.flatMap(encodeBlock));

test("decodes blocks one by one, to the bit, for any chunk sizes", async () => {
  await fc.assert(
    fc.asyncProperty(blocks, fc.integer({ min: 1, max: 300 }), async (tables, size) => {
      const bytes = joined(tables);
      expect(await read(bytes, size)).toEqual(tables);
    }),
  );
});

test("rejects rows that are truncated or followed by other data", async () => {
  const table: Table = {
    rowCount: 2,
    columns: [{ name: "x", type: "number", values: Float64Array.of(1.5, 2) }],
  };
  const bytes = joined([table, table]);
  for (let length = 1; length < bytes.length; length++) {
    if (length === bytes.length / 2) continue;
    await expect(read(bytes.subarray(0, length), 7)).rejects.toThrow(RangeError);
  }
  const followed = Buffer.concat([bytes, Buffer.alloc(16, 1)]);
  await expect(read(followed, 50)).rejects.toThrow(RangeError);
});

test("splits a large table into blocks with the categories of their own rows", () => {
  const rowCount = 2 * BLOCK_ROWS + 5;
  const table: Table = {
    rowCount,
    columns: [
      { name: "x", type: "number", values: Float64Array.from({ length: rowCount }, (_, row) => row / 3) },
      {
        name: "c",
        type: "category",
        codes: Int32Array.from({ length: rowCount }, (_, row) => (row % 7 === 0 ? -1 : row >> 2)),
        categories: Array.from({ length: rowCount }, (_, code) => `text ${code}`),
      },
    ],
  };
  const cut = [...blocksOf(table)];
  expect(cut.map((one) => one.rowCount)).toEqual([BLOCK_ROWS, BLOCK_ROWS, 5]);
  const textsOf = ({ columns }: Table) => {
    const { codes, categories } = columns[1] as CategoryColumn;
    return Array.from(codes, (code) => categories[code] ?? null);
  };
  expect(cut.flatMap(textsOf)).toEqual(textsOf(table));
  expect(concatTables(cut).columns[0]).toEqual(table.columns[0]);
  for (const one of cut) {
    const { codes, categories } = one.columns[1] as CategoryColumn;
    expect(new Set(codes.filter((code) => code >= 0)).size).toBe(categories.length);
  }
});

test("limits the size of a block with many columns by fewer rows", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `x${at}`);
  const table: Table = {
    rowCount: 2_500,
    columns: names.map((name, at) => ({
      name,
      type: "number",
      values: Float64Array.from({ length: 2_500 }, (_, row) => row * 1_000 + at),
    })),
  };
  const blocks = [...blocksOf(table)];
  expect(blocks.map(({ rowCount }) => rowCount)).toEqual([1_048, 1_048, 404]);
  expect(Math.max(...blocks.map(({ rowCount }) => rowCount)) * names.length).toBeLessThanOrEqual(
    BLOCK_VALUES,
  );
  expect(concatTables(blocks)).toEqual(table);
});
