import { limits } from "#lib/contract/limits";
import type { Choice } from "#lib/contract/reading";

/** Codes of the validation issues of a CSV file or of a prediction input. */
export type IssueCode =
  | "unsupported_encoding"
  | "compressed_file"
  | "invalid_encoding"
  | "nul_character"
  | "empty_file"
  | "no_rows"
  | "empty_header"
  | "duplicate_header"
  | "name_too_long"
  | "too_many_columns"
  | "row_too_long"
  | "ragged_row"
  | "unclosed_quote"
  | "malformed_quote"
  | "missing_column"
  | "missing_value"
  | "not_a_number"
  | "not_finite"
  | "number_out_of_range"
  | "hexadecimal_number"
  | "digit_grouping"
  | "number_with_unit"
  | "not_a_boolean"
  | "not_a_text"
  | "too_many_categories"
  | "not_a_timestamp"
  | "invalid_date"
  | "ambiguous_date"
  | "ambiguous_number"
  | "header_below"
  | "broken_workbook"
  | "broken_parquet"
  | "parquet_too_large"
  | "unsupported_compression"
  | "unsupported_type"
  | "nested_column"
  | "formula_without_result"
  | "too_large_unpacked"
  | "unknown_sheet"
  | "workbook_too_large"
  | "mixed_zones"
  | "time_not_in_timezone"
  | "invalid_hour"
  | "timestamps_unsorted"
  | "timestamp_too_far"
  | "timestamps_duplicate";

/**
 * One validation issue. `row` counts from 1 without the header, and is null for an issue of the header or the whole
 * file. `value` is the rejected value, shortened.
 */
export type Issue = {
  row: number | null;
  column: string | null;
  value: string | null;
  code: IssueCode;
  message: string;
  expected?: string;
  /** Most similar column name in the file, for a missing column. */
  nearest?: string;
  /** Ways to read the file that remove the issue. */
  choices?: Choice[];
};

type CsvWarningCode =
  | "unknown_column"
  | "unseen_category"
  | "outside_range"
  | "differs_from_date"
  | "empty_column"
  | "numbers_as_texts"
  | "header_looks_like_data"
  | "ambiguous_column"
  | "missing_code"
  | "summary_row"
  | "rounded_numbers"
  | "leading_zeros"
  | "encoding_guessed"
  | "wide_table"
  | "merged_cells"
  | "error_cells"
  | "other_sheets"
  | "rows_unsorted";

/** A finding that does not prevent the use of the file. `rows` is the number of rows concerned. */
export type CsvWarning = {
  code: CsvWarningCode;
  column: string | null;
  message: string;
  rows?: number;
  nearest?: string;
  /** For values outside the training range: the first such row, and both ranges. */
  firstRow?: number;
  range?: { least: number; greatest: number; trainedMin: number; trainedMax: number };
  /** Ways to read the file that treat the finding. */
  choices?: Choice[];
};

const SHOWN_CHARACTERS = 80;

/**
 * Shortens a value for an issue to at most 80 characters, and keeps it well-formed so that every JSON store accepts
 * it.
 */
export function shorten(value: string): string {
  const shown = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS - 1)}…` : value;
  return shown.toWellFormed();
}

/**
 * Keeps the first 100 issues in file order and counts all. File and header issues come first, then order is by row
 * and by column position. The order of arrival does not matter.
 */
export class IssueList {
  readonly issues: Issue[] = [];
  count = 0;
  #header: readonly string[];
  /** Column positions by name. Created for the first comparison of issues. */
  #places: Map<string, number> | undefined;
  readonly #counts = new Map<string | null, number>();

  constructor(header: readonly string[] = []) {
    this.#header = header;
  }

  /** Returns the number of rows' issues that were added for a column. */
  countOf(column: string | null): number {
    return this.#counts.get(column) ?? 0;
  }

  /** Sets the order of the columns. Call it before adding an issue with a row. */
  orderBy(header: readonly string[]): void {
    this.#header = header;
    this.#places = undefined;
  }

  add(issue: Issue): void {
    this.addLazily(issue.row, issue.column, () => issue);
  }

  /** Counts an issue and creates it only if it is kept. A file can have one in each of millions of cells. */
  addLazily(row: number | null, column: string | null, issue: () => Issue): void {
    this.count++;
    if (row !== null) this.#counts.set(column, this.countOf(column) + 1);
    const last = this.issues.at(-1);
    if (
      this.issues.length >= limits.errorDetails &&
      (last === undefined || !this.#isBefore({ row, column }, last))
    )
      return;
    let at = this.issues.length;
    while (at > 0 && this.#isBefore({ row, column }, this.issues[at - 1]!)) at--;
    this.issues.splice(at, 0, issue());
    if (this.issues.length > limits.errorDetails) this.issues.pop();
  }

  /** Adds the issues that another list kept, and its count. */
  addAll({ issues, count }: { issues: readonly Issue[]; count: number }): void {
    for (const issue of issues) this.add(issue);
    this.count += count - issues.length;
  }

  #isBefore(a: Pick<Issue, "row" | "column">, b: Pick<Issue, "row" | "column">): boolean {
    const rows = (a.row ?? 0) - (b.row ?? 0);
    return rows < 0 || (rows === 0 && this.#placeOf(a.column) < this.#placeOf(b.column));
  }

  #placeOf(column: string | null): number {
    if (column === null) return -1;
    this.#places ??= new Map(this.#header.map((name, index) => [name, index]));
    return this.#places.get(column) ?? this.#places.size;
  }
}
