import { CsvReader } from "#lib/engine/csv/csv-reader";
import type { CsvOptions } from "#lib/engine/csv/options";
import { tableChunks } from "#lib/engine/workbooks/table-chunks";
import { type Cell, workbook } from "./workbooks.ts";

async function* pieces(bytes: Uint8Array, size = 1 << 16) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Reads a workbook that arrives in pieces. */
export async function readWorkbook(bytes: Uint8Array, options: CsvOptions = {}, size?: number) {
  const reader = new CsvReader(options);
  for await (const chunk of tableChunks(pieces(bytes, size), options)) reader.push(chunk);
  return reader.finish();
}

/** Returns a workbook with one sheet. */
export const sheet = (rows: (Cell[] | null)[], parts: Partial<Parameters<typeof workbook>[0]> = {}) =>
  workbook({ sheets: { Data: rows }, ...parts });
export const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);
