import type { Column } from "#lib/contract/table";

/** Returns the buffer of a column that does not share it. */
export function bufferOf(column: Column): ArrayBuffer {
  return (column.type === "category" ? column.codes : column.values).buffer as ArrayBuffer;
}
