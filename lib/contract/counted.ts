/**
 * Writes a count with its noun: "1 row", "12,345 rows".
 * @param one singular, such as "row"
 * @param many plural, if it is not the singular with an s: "rows have", "categories"
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
