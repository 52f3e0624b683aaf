import { detectDialect, isBlank } from "#lib/engine/csv/dialect";
import { unescapeFormula } from "#lib/engine/csv/formulas";
import { splitRows } from "#lib/engine/csv/row-splitter";
import { writeText } from "#lib/engine/csv/write-csv";

/**
 * Renames columns of a CSV file and leaves everything after the header unchanged.
 *
 * @param head the file's text without a byte order mark, at least up to the end of the header
 * @param isComplete whether `head` is the whole file
 * @param names maps a name in the file to its new name; names are compared as read
 * @returns the replacement for the first `length` characters; null if the header does not end within `head`
 */
export function renameHeader(
  head: string,
  isComplete: boolean,
  names: ReadonlyMap<string, string>,
): { text: string; length: number } | null {
  const dialect = detectDialect(head, isComplete);
  if (dialect === null) return null;
  const { delimiter, newline } = dialect;
  let from = dialect.skip;
  for (;;) {
    const end = endOfRow(head, from, delimiter, newline);
    if (end === null && !isComplete) return null;
    const line = head.slice(from, end ?? head.length);
    // With CR LF, only the LF ends the line.
    const row = line.endsWith("\r") ? line.slice(0, -1) : line;
    const cells = splitRows(row, { delimiter, newline }, true).rows[0] ?? [""];
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

/**
 * Returns the end of the line that begins at `from`, ignoring line ends within quotes. Null if the line does not end.
 */
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
