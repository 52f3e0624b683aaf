import type { CategoryColumn } from "#lib/contract/table";

/** Returns a column of texts; "" is a missing value. */
export function categoryColumn(name: string, values: readonly string[]): CategoryColumn {
  const categories = [...new Set(values)].filter((value) => value !== "");
  return {
    name,
    type: "category",
    codes: Int32Array.from(values, (value) => categories.indexOf(value)),
    categories,
  };
}
