import type { Cell } from "#lib/contract/prediction-columns";

/** How a value reads, as a CSV would write it. Of an array or an object, however deep or long it is: that it is one. */
export function cellText(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return String(cell);
  return Array.isArray(cell) ? "[…]" : "{…}";
}
