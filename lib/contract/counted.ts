/**
 * So many of a thing in words: "1 row", "12,345 rows".
 * @param many what more, or fewer, than one are called, where it is not the word with an s: "rows have", "categories"
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
