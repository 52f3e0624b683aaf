import type { DatasetPart } from "#db/schema/datasets";
import type { DatasetRows, RowValue } from "#lib/contract/dataset-versions";
import { valueAt } from "./compare-versions.ts";
import { readTable } from "./dataset-table.ts";

type ReadRows = { parts: DatasetPart[]; time: string | null; from: number; limit: number };

/** Reads only the parts that hold wanted rows. */
export async function readRows({ parts, time, from, limit }: ReadRows): Promise<DatasetRows["rows"]> {
  const rows: DatasetRows["rows"] = [];
  let first = 0;
  for (const part of parts) {
    const [start, end] = [Math.max(from, first), Math.min(from + limit, first + part.rows)];
    const table = start < end ? await readTable([part]) : null;
    for (let row = start; row < end; row++) {
      const values = table!.columns.map((column): [string, RowValue] => [
        column.name,
        valueAt(column, row - first),
      ]);
      const timestamp = values.find(([name]) => name === time)?.[1] ?? null;
      rows.push({ row: row + 1, timestamp: timestamp as string | null, values: Object.fromEntries(values) });
    }
    first += part.rows;
  }
  return rows;
}
