import Papa from "papaparse";

export type Delimiter = "," | ";" | "\t" | "|";

/** How a file is written. `skip`: characters before the header (Excel's `sep=;` line). */
export type Dialect = { delimiter: Delimiter; newline: "\n" | "\r"; skip: number };

/** In the order in which they win where several fit equally well: a comma may also be a decimal mark. */
const CANDIDATES: Delimiter[] = [";", "\t", "|", ","];
/** What may stand before the first character of a cell; a doubled quote goes on with its quoted text. */
const CELL_ENDS = `\n\r"${CANDIDATES.join("")}`;
const SAMPLE_ROWS = 50;
const SEPARATOR_LINE = /^sep=([,;|\t])\r?\n|^sep=([,;|\t])\r/i;

/**
 * Finds delimiter and line ends by the first part of a file. Null if it has no whole line yet and more is to
 * come. Lines that end in CR LF are split at the LF: the CR is white space at the end of the last cell.
 */
export function detectDialect(head: string, last: boolean, delimiter: Delimiter | null): Dialect | null {
  const newline = firstNewline(head, last);
  if (newline === null) return null;
  const separator = SEPARATOR_LINE.exec(head);
  if (separator !== null) {
    const named = (separator[1] ?? separator[2]) as Delimiter;
    return { delimiter: delimiter ?? named, newline, skip: separator[0].length };
  }
  return { delimiter: delimiter ?? bestDelimiter(head, newline, last), newline, skip: 0 };
}

/**
 * The first line end outside quotes. CR counts only where no LF follows it. A quote opens at the start of a cell alone:
 * elsewhere, as in `size 5"`, it is a character like others.
 */
function firstNewline(head: string, last: boolean): "\n" | "\r" | null {
  let quoted = false;
  for (let i = 0; i < head.length; i++) {
    const char = head.charCodeAt(i);
    if (char === 34) quoted = quoted ? false : i === 0 || CELL_ENDS.includes(head[i - 1]!);
    else if (quoted) continue;
    else if (char === 10) return "\n";
    else if (char === 13) {
      if (i + 1 === head.length && !last) return null;
      return head.charCodeAt(i + 1) === 10 ? "\n" : "\r";
    }
  }
  return last ? "\n" : null;
}

/**
 * The delimiter that splits most rows into as many cells as the header has; of equals, into the most cells. One that
 * leaves the quotes around another one's cells in the midst of its own is most likely quoted text itself.
 */
function bestDelimiter(head: string, newline: string, last: boolean): Delimiter {
  let best: Delimiter = ",";
  let bestAgreement = 0;
  let bestCells = 1;
  for (const delimiter of CANDIDATES) {
    const sample = parseRows(head, { delimiter, newline, preview: SAMPLE_ROWS }, last);
    const rows = sample.rows.filter((row) => !isBlank(row));
    const cells = rows[0]?.length ?? 0;
    if (cells < 2) continue;
    const agreeing = rows.filter((row) => row.length === cells).length / rows.length;
    const misread = sample.quoteErrors.length > 0 || splitsQuotedCells(head, delimiter);
    const agreement = misread ? agreeing / 2 : agreeing;
    if (agreement > bestAgreement || (agreement === bestAgreement && cells > bestCells)) {
      best = delimiter;
      bestAgreement = agreement;
      bestCells = cells;
    }
  }
  return best;
}

/** Whether a cell that is not quoted has a quote in it that would open one if another delimiter parted the cells. */
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

/** A line with nothing on it. */
export function isBlank(row: readonly string[]): boolean {
  return row.length === 1 && row[0]!.trim() === "";
}

export type QuoteError = { code: "MissingQuotes" | "InvalidQuotes"; row: number; index: number };

/** Whole rows of a text; with `last` the rest is a row too. `cursor`: where the first incomplete row begins. */
export function parseRows(
  text: string,
  options: { delimiter: string; newline: string; preview?: number },
  last: boolean,
): { rows: string[][]; cursor: number; quoteErrors: QuoteError[] } {
  const config = { ...options } as Papa.ParseConfig;
  const result: Papa.ParseResult<string[]> = new Papa.Parser(config).parse(text, 0, !last);
  const quoteErrors = result.errors.filter((error) => error.type === "Quotes") as unknown as QuoteError[];
  return { rows: result.data, cursor: result.meta.cursor, quoteErrors };
}

const COMMA_DECIMAL = /^\s*[+-]?\d+,\d+(?:e[+-]?\d+)?\s*$/i;
const POINT_DECIMAL = /^\s*[+-]?\d+\.\d+(?:e[+-]?\d+)?\s*$/i;

/**
 * Whether the numbers of these rows have a comma as decimal mark. Never where the comma parts the cells.
 *
 * @param places of the cells that may be numbers: versions such as 1.5 in a column of texts tell nothing
 */
export function usesDecimalComma(
  rows: readonly string[][],
  delimiter: Delimiter,
  places: readonly number[],
): boolean {
  if (delimiter === ",") return false;
  let commas = 0;
  let points = 0;
  for (const row of rows.slice(0, 1000)) {
    for (const place of places) {
      const cell = row[place] ?? "";
      if (COMMA_DECIMAL.test(cell)) commas++;
      else if (POINT_DECIMAL.test(cell)) points++;
    }
  }
  return commas > points;
}
