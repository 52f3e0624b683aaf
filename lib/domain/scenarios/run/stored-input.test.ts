import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { setEnvironment } from "#testing/set-environment";
import { writeInputRows } from "./scenario-input.ts";
import { StoredInput } from "./stored-input.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "stored-input-"));
beforeAll(() => {
  setEnvironment({ DATA_DIR: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

const texts = ["a", "b", "c"];

/** Rows in blocks of these sizes. The categories differ between blocks. */
function blocksOfSizes(sizes: readonly number[]): Table[] {
  let row = 0;
  return sizes.map((rowCount, block) => {
    const categories = texts.slice(block % 2);
    const columns: Column[] = [
      { name: "x", type: "number", values: Float64Array.from({ length: rowCount }, () => row++ / 4) },
      {
        name: "kind",
        type: "category",
        categories,
        codes: Int32Array.from({ length: rowCount }, (_, at) => ((at + block) % (categories.length + 1)) - 1),
      },
    ];
    return { rowCount, columns };
  });
}

/** Converts a table to rows of values, so that the order of categories does not matter. */
const rowsOf = ({ rowCount, columns }: Table) =>
  Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) =>
      column.type === "category" ? (column.categories[column.codes[row]!] ?? null) : column.values[row],
    ),
  );

let written = 0;
async function stored(blocks: Table[]): Promise<StoredInput> {
  const key = `projects/p/scenarios/s${++written}/input`;
  await writeInputRows(key, blocks, { computed: ["x"], knownUntil: 5 });
  return StoredInput.open(key);
}

const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });
const runs = { numRuns: 40 };

test("any range of rows is read back, and all rows", async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(200), fc.nat(200), async (counts, a, b) => {
      const blocks = blocksOfSizes(counts);
      const all = concatTables(blocks);
      const input = await stored(blocks);
      expect([input.rowCount, input.computed, input.knownUntil]).toEqual([all.rowCount, ["x"], 5]);
      expect(input.columns).toEqual([
        { name: "x", type: "number" },
        { name: "kind", type: "category" },
      ]);
      const parts: Table[] = [];
      for await (const block of input.rows(a, b)) parts.push(block);
      expect(parts.flatMap(rowsOf)).toEqual(rowsOf(sliceRows(all, a, b)));
      expect((await Array.fromAsync(input.parts())).flatMap(rowsOf)).toEqual(rowsOf(all));
      expect(rowsOf(await input.readAll())).toEqual(rowsOf(all));
      expect(rowsOf(await input.readAll(a))).toEqual(rowsOf(sliceRows(all, 0, a)));
    }),
    runs,
  );
});

test("any rows are read in the requested order", async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(fc.nat(), { maxLength: 30 }), async (counts, places) => {
      const blocks = blocksOfSizes(counts);
      const all = concatTables(blocks);
      const rows = all.rowCount === 0 ? [] : places.map((place) => place % all.rowCount);
      const taken = await (await stored(blocks)).take(rows);
      expect(taken.columns.map(({ name }) => name)).toEqual(["x", "kind"]);
      expect(rowsOf(taken)).toEqual(rowsOf(takeRows(all, rows)));
    }),
    runs,
  );
});

test("more values than the memory limit are rejected before any is read", async () => {
  const rowCount = 1 << 20;
  const columns = Array.from(
    { length: 50 },
    (_, at): Column => ({
      name: `x${at}`,
      type: "number",
      values: new Float64Array(rowCount),
    }),
  );
  const input = await stored([{ rowCount, columns }]);
  await expect(input.readAll()).rejects.toThrow("52,428,800 values; at most 50,000,000");
});

test("a row that does not exist is rejected", async () => {
  const input = await stored(blocksOfSizes([3, 4]));
  for (const row of [7, -1, Number.NaN]) await expect(input.take([0, row])).rejects.toThrow(RangeError);
});
