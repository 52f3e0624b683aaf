import { unescapeFormula } from "./formulas.ts";
import { type Issue, type IssueList, shorten } from "./issues.ts";
import { readNumber } from "./numbers.ts";

export const MAX_COLUMNS = 20_000;
/** Every issue of a column repeats its name. Without a limit, a small file could cause an unbounded response. */
const MAX_NAME_CHARACTERS = 1_000;

/** Returns the trimmed names. Reports empty, repeated, overlong and too many names. */
export function readHeader(cells: readonly string[], issues: IssueList): string[] {
  const header = cells.slice(0, MAX_COLUMNS).map((cell) => unescapeFormula(cell.trim()).toWellFormed());
  if (cells.length > MAX_COLUMNS) {
    const message = `The header has ${cells.length} columns. The limit is ${MAX_COLUMNS}.`;
    issues.add(headerIssue("too_many_columns", null, message));
  }
  const first = new Map<string, number>();
  header.forEach((name, index) => {
    if (name === "") {
      issues.add(
        headerIssue(
          "empty_header",
          null,
          `Column ${index + 1} has no name in the header. Name or remove the column.`,
        ),
      );
      return;
    }
    if (name.length > MAX_NAME_CHARACTERS) {
      const message = `The name of column ${index + 1} has ${name.length} characters. The limit is ${MAX_NAME_CHARACTERS}.`;
      issues.add({ ...headerIssue("name_too_long", null, message), value: shorten(name) });
      header[index] = name.slice(0, MAX_NAME_CHARACTERS).toWellFormed();
      return;
    }
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else {
      const message = `Columns ${before + 1} and ${index + 1} are both named "${shorten(name)}". Rename or remove one of them.`;
      issues.add(headerIssue("duplicate_header", name, message));
    }
  });
  return header;
}

function headerIssue(code: Issue["code"], column: string | null, message: string): Issue {
  return { row: null, column, value: null, code, message };
}

/** Returns whether the header has only numbers and is therefore most likely the first row of data. */
export function looksLikeData(header: readonly string[]): boolean {
  return header.length > 0 && header.every((name) => !Number.isNaN(readNumber(name, false)));
}
