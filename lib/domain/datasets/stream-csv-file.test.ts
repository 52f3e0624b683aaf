import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import { BLOCK_VALUES } from "#lib/engine/table/blocks";
import { streamCsvFile } from "./read-csv-file.ts";

const COLUMNS = 100;
const header = Array.from({ length: COLUMNS }, (_, at) => `x${at}`).join();
/** More rows than a table in memory may have. */
const ROWS = limits.tableValues / COLUMNS + 20_000;

/** Rows of small numbers, and a first cell. */
const open = (first: string) => async () =>
  (async function* () {
    yield Buffer.from(`${header}\n`);
    const lines = Buffer.from(`${first}${",1".repeat(COLUMNS - 1)}\n`.repeat(1000));
    for (let row = 0; row < ROWS; row += 1000) yield lines;
  })();

async function count(rows: ReturnType<typeof streamCsvFile>): Promise<number> {
  let taken = 0;
  for (;;) {
    const { done, value } = await rows.next();
    if (done) return taken + value.table.rowCount;
    taken += value.rowCount;
  }
}

test("yields more rows than memory holds while reading", async () => {
  expect(await count(streamCsvFile(open("7"), { columns: [{ name: "x0", type: "number" }] }))).toBe(ROWS);
});

test("yields fewer rows at a time for many columns", async () => {
  const rows = streamCsvFile(open("7"), { columns: [{ name: "x0", type: "number" }] });
  const { value } = await rows.next();
  await rows.return(undefined as never);
  // Blocks come from batches of a thousand rows.
  expect(value).toMatchObject({ rowCount: Math.ceil(BLOCK_VALUES / COLUMNS / 1_000) * 1_000 });
});

test("rejects rows above the limit if the type needs all rows: day and month in either order", async () => {
  const rows = streamCsvFile(open("03/04/2024"), { timestamp: "x0" });
  await expect(count(rows)).rejects.toMatchObject({
    code: "input_invalid",
    message: expect.stringContaining("more than 50,000,000 values"),
    details: [expect.objectContaining({ code: "too_many_cells" })],
  });
}, 60_000); // Reads 50,000,000 values.

test("rejects more rows than a scenario allows while reading", async () => {
  const rows = streamCsvFile(open("7"), { columns: [{ name: "x0", type: "number" }] }, 50_000);
  await expect(count(rows)).rejects.toMatchObject({
    code: "input_invalid",
    message: expect.stringContaining("more than 50,000 rows"),
    details: [expect.objectContaining({ code: "too_many_rows" })],
  });
});

test("counts a last row without a line break", async () => {
  const three = async () =>
    (async function* () {
      yield Buffer.from("x0\n1\n2\n3");
    })();
  const options = { columns: [{ name: "x0", type: "number" as const }] };
  expect(await count(streamCsvFile(three, options, 3))).toBe(3);
  await expect(count(streamCsvFile(three, options, 2))).rejects.toMatchObject({
    details: [expect.objectContaining({ code: "too_many_rows" })],
  });
});
