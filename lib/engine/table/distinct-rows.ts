import type { Table } from "#lib/contract/table";
import { takeRows } from "./rows.ts";

/** Returns the different rows of a table, in the order of their first occurrence, and the place of each row among them. */
export function distinctRows(table: Table): { table: Table; placeOf: Int32Array } {
  const places = new Map<string, number>();
  const first: number[] = [];
  const placeOf = new Int32Array(table.rowCount);
  const cells = table.columns.map((column) => (column.type === "category" ? column.codes : column.values));
  for (let row = 0; row < table.rowCount; row++) {
    const key = cells.map((values) => values[row]!).join();
    let place = places.get(key);
    if (place === undefined) {
      place = first.push(row) - 1;
      places.set(key, place);
    }
    placeOf[row] = place;
  }
  return { table: takeRows(table, Int32Array.from(first)), placeOf };
}
