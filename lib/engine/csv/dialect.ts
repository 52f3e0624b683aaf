import { splitRows } from "./row-splitter.ts";
import { unitOf } from "./units.ts";

export type Delimiter = "," | ";" | "\t" | "|";

/** Format of a file. `skip` counts the characters before the header (Excel's `sep=;` line). */
export type Dialect = { delimiter: Delimiter; newline: "\n" | "\r"; skip: number };

/** In order of preference for equal results. The comma comes last because it may also be a decimal mark. */
const CANDIDATES: Delimiter[] = [";", "\t", "|", ","];
/** Characters that can precede a cell's first character. A doubled quote continues the quoted text. */
const CELL_ENDS = `\n\r"${CANDIDATES.join("")}`;
const SAMPLE_ROWS = 50;
const SEPARATOR_LINE = /^sep=([,;|\t])\r?\n|^sep=([,;|\t])\r/i;

/**
 * Detects the delimiter and the line ends from the first part of a file. Returns null if that part has no complete
 * line and more follows. CR LF lines split at the LF: the CR is white space at the end of the last cell.
 *
 * @param newline the first line end, if the caller has found it already
 */
export function detectDialect(
  head: string,
  last: boolean,
  newline = new NewlineSearch().push(head, last),
): Dialect | null {
  if (newline === null) return null;
  const separator = SEPARATOR_LINE.exec(head);
  if (separator !== null) {
    const named = (separator[1] ?? separator[2]) as Delimiter;
    return { delimiter: named, newline, skip: separator[0].length };
  }
  return { delimiter: bestDelimiter(head, newline, last), newline, skip: 0 };
}

/**
 * Searches for the first line end outside quotes in text that arrives in pieces, and reads each character once. CR counts
 * only if no LF follows. A quote opens only at the start of a cell: elsewhere, as in `size 5"`, it is an ordinary character.
 */
export class NewlineSearch {
  #quoted = false;
  #previous = "";
  /** Whether the last piece ended with a CR outside quotes. */
  #endsWithCr = false;

  /** Returns null if the text so far has no line end and more follows. */
  push(piece: string, last: boolean): "\n" | "\r" | null {
    for (let i = 0; i < piece.length; i++) {
      const char = piece.charCodeAt(i);
      if (this.#endsWithCr) return char === 10 ? "\n" : "\r";
      if (char === 34)
        this.#quoted = !this.#quoted && CELL_ENDS.includes(i > 0 ? piece[i - 1]! : this.#previous);
      else if (this.#quoted) continue;
      else if (char === 10) return "\n";
      else if (char === 13) this.#endsWithCr = true;
    }
    this.#previous = piece.at(-1) ?? this.#previous;
    if (!last) return null;
    return this.#endsWithCr ? "\r" : "\n";
  }
}

/**
 * Returns the delimiter that splits most rows into as many cells as the header, and the one with most cells on a tie.
 * A cell with a quote right after another candidate probably belongs to that candidate, which halves the score. Below a
 * title without a delimiter, returns the one that splits most rows into the same number of cells.
 */
function bestDelimiter(head: string, newline: string, last: boolean): Delimiter {
  let best: { delimiter: Delimiter; agreement: number; cells: number } | null = null;
  let below: { delimiter: Delimiter; count: number } = { delimiter: ",", count: 0 };
  for (const delimiter of CANDIDATES) {
    const { rows, isBroken } = splitRows(head, { delimiter, newline, rowsMax: SAMPLE_ROWS }, last);
    const lengths = rows.filter((row) => !isBlank(row)).map(({ length }) => length);
    const countOf = (cells: number) => lengths.filter((length) => length === cells).length;
    const [cells = 0] = lengths;
    const isMisread = cells >= 2 && (isBroken || splitsQuotedCells(head, delimiter));
    const agreement = countOf(cells) / lengths.length / (isMisread ? 2 : 1);
    if (
      cells >= 2 &&
      (best === null || agreement > best.agreement || (agreement === best.agreement && cells > best.cells))
    )
      best = { delimiter, agreement, cells };
    const count = Math.max(0, ...lengths.filter((length) => length > 1).map(countOf));
    if (count > below.count) below = { delimiter, count };
  }
  return (best ?? below).delimiter;
}

/** Returns whether an unquoted cell contains a quote that would open a cell under another delimiter. */
function splitsQuotedCells(head: string, delimiter: Delimiter): boolean {
  let quoted = false;
  for (let i = head.indexOf('"'); i >= 0; i = head.indexOf('"', i + 1)) {
    const before = head[i - 1];
    const opens = i === 0 || before === delimiter || before === "\n" || before === "\r";
    if (quoted && head[i + 1] === '"') i++;
    else if (quoted) quoted = false;
    else if (opens) quoted = true;
    else if (CANDIDATES.includes(before as Delimiter)) return true;
  }
  return false;
}

/** Returns whether a line is empty or white space. */
export function isBlank(row: readonly string[]): boolean {
  return row.length === 1 && row[0]!.trim() === "";
}

/** A number with a mark: the part before its last mark, that mark, and the digits behind it. */
const MARKED = /^[-+\u2212]?(\d[\d.,]*)([.,])(\d+)(?:e[+-]?\d+)?$/i;

/** Everything around the number in a text with a unit. */
const NO_DIGITS = /^\D+|\D+$/g;

/** How a number shows its decimal mark, the surest first. */
const EVIDENCE = ["plain", "unit or groups", "possible"] as const;

/**
 * Returns the decimal mark that a number shows, such as a comma for `0,5` (plain), `4.617,60 €` or `1.234.567` (unit or
 * groups). In others such as `1.204` the mark may separate a group of three digits (possible). Null for texts without
 * digits around a mark.
 */
function shownDecimalMark(cell: string): { mark: string; evidence: (typeof EVIDENCE)[number] } | null {
  const text = cell.trim();
  const plain = MARKED.exec(text);
  const match = plain ?? (unitOf(text) === null ? null : MARKED.exec(text.replace(NO_DIGITS, "")));
  const [, whole, mark, digits] = match ?? [];
  if (whole === undefined || mark === undefined || digits === undefined) return null;
  const [other] = /[.,]/.exec(whole) ?? [];
  if (other === undefined) {
    const mayGroup = digits.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    return { mark, evidence: mayGroup ? "possible" : plain ? "plain" : "unit or groups" };
  }
  const groups = (other === mark ? `${whole}${mark}${digits}` : whole).split(other);
  const isGrouped = groups.every((group, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group));
  return isGrouped ? { mark: other === "." ? "," : ".", evidence: "unit or groups" } : null;
}

/**
 * Returns whether the numbers in these rows use a decimal comma, and whether they show their mark surely. The comma is no
 * mark if it is the delimiter. The surest evidence decides; the next one decides if the former is absent or evenly split.
 * Counts the first 1,000 rows.
 *
 * @param places indexes of the cells that may be numbers. A text column with versions such as 1.5 must not decide.
 * @param stored mark of the dataset that the file belongs to
 */
export function decimalMarkOf(
  rows: readonly (readonly string[])[],
  delimiter: Delimiter,
  places: readonly number[],
  stored?: "." | ",",
): { decimalComma: boolean; isMarkSure: boolean } {
  /** Numbers with a decimal comma minus those with a decimal point. */
  const votes = { plain: 0, "unit or groups": 0, possible: 0 };
  for (const row of rows.slice(0, 1000)) {
    for (const place of places) {
      const shown = shownDecimalMark(row[place] ?? "");
      if (shown !== null) votes[shown.evidence] += shown.mark === "," ? 1 : -1;
    }
  }
  const decisive = EVIDENCE.find((evidence) => votes[evidence] !== 0);
  const isMarkSure = decisive !== undefined && decisive !== "possible";
  const isComma =
    stored !== undefined && !isMarkSure ? stored === "," : decisive !== undefined && votes[decisive] > 0;
  return { decimalComma: delimiter !== "," && isComma, isMarkSure };
}
