import type { Table } from "#lib/contract/table";
import { requireColumn } from "#lib/engine/table/columns";
import type { SeriesIndex } from "./series-index.ts";

/** Columns that are not series columns and divide the series into groups. */
const LEVELS_MAX = 50;

/**
 * Returns the columns of texts that are constant within each series and have fewer values than there are series, such as
 * the region of each store. Totals can be formed by them.
 *
 * @param candidates names of columns that may be levels; series columns are ignored
 */
export function levelColumns(
  table: Table,
  { columns, values, ofRow }: SeriesIndex,
  candidates: readonly string[],
): string[] {
  const found: string[] = [];
  for (const name of candidates) {
    if (found.length === LEVELS_MAX) break;
    const column = requireColumn(table, name);
    if (columns.includes(name) || column.type !== "category") continue;
    const codes = codesOfSeries(column.codes, ofRow, values.length);
    const groups = codes === null ? 0 : new Set(codes).size;
    if (groups > 1 && groups < values.length) found.push(name);
  }
  return found;
}

/** Returns the code of each series, or null if the codes of a series differ. */
function codesOfSeries(codes: Int32Array, ofRow: Int32Array, count: number): Int32Array | null {
  const UNKNOWN = -2;
  const found = new Int32Array(count).fill(UNKNOWN);
  for (let row = 0; row < codes.length; row++) {
    const place = ofRow[row]!;
    if (found[place] === UNKNOWN) found[place] = codes[row]!;
    else if (found[place] !== codes[row]) return null;
  }
  return found;
}
