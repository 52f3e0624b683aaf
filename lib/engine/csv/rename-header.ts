import { detectDialect, isBlank, parseRows } from "./dialect.ts";
import { unescapeFormula } from "./formulas.ts";
import { writeText } from "./write.ts";

/**
 * Gives columns of a CSV file other names, everything behind the header as it was.
 *
 * @param head the file's text without a byte order mark: at least its header
 * @param whole whether that is all of the file
 * @param names name in the file → new name; names are compared as the reader gives them
 * @returns what takes the place of the first `length` characters; null where the header does not end within `head`
 */
export function renameHeader(
  head: string,
  whole: boolean,
  names: ReadonlyMap<string, string>,
): { text: string; length: number } | null {
  const dialect = detectDialect(head, whole, null);
  if (dialect === null) return null;
  const { delimiter, newline } = dialect;
  let from = dialect.skip;
  for (;;) {
    const end = endOfRow(head, from, delimiter, newline);
    if (end === null && !whole) return null;
    const line = head.slice(from, end ?? head.length);
    // Of a CR LF only the LF ends the line.
    const row = line.endsWith("\r") ? line.slice(0, -1) : line;
    const cells = parseRows(row, { delimiter, newline }, true).rows[0] ?? [""];
    if (isBlank(cells) && end !== null) {
      from = end + 1;
      continue;
    }
    const renamed = cells.map((cell) => {
      const name = cell.trim();
      return writeText(names.get(unescapeFormula(name)) ?? unescapeFormula(name));
    });
    return { text: head.slice(0, from) + renamed.join(delimiter), length: from + row.length };
  }
}

/** Where the line ends that begins at `from`, line ends within quotes not counted; null if it does not. */
function endOfRow(text: string, from: number, delimiter: string, newline: string): number | null {
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') {
      const before = text[at - 1];
      quoted = quoted ? false : at === from || before === delimiter || before === '"';
    } else if (sign === newline && !quoted) return at;
  }
  return null;
}
