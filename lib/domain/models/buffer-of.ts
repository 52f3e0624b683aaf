import type { Column } from "#lib/contract/table";

/** The memory of a column that has it for itself. */
export function bufferOf(column: Column): ArrayBuffer {
  return (column.type === "category" ? column.codes : column.values).buffer as ArrayBuffer;
}
