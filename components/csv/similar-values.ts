import type { Dataset } from "#lib/contract/datasets";

/** Values of a column: its type, range and categories. */
export type Extent = Pick<Dataset["columns"][number], "type" | "min" | "max" | "categories">;

const SIMILAR = 0.5;

/** Returns whether two columns have the same type and share at least half of their ranges, or of their categories. */
export function haveSimilarValues(a: Extent, b: Extent): boolean {
  if (a.type !== b.type) return false;
  if (a.type === "category") return sharedCategories(a.categories ?? [], b.categories ?? []) >= SIMILAR;
  if (a.type !== "number" || a.min === null || a.max === null || b.min === null || b.max === null)
    return false;
  const all = Math.max(a.max, b.max) - Math.min(a.min, b.min);
  const shared = Math.min(a.max, b.max) - Math.max(a.min, b.min);
  return all > 0 && shared / all >= SIMILAR;
}

function sharedCategories(a: readonly string[], b: readonly string[]): number {
  const all = new Set([...a, ...b]);
  const second = new Set(b);
  return all.size === 0 ? 0 : new Set(a.filter((text) => second.has(text))).size / all.size;
}
