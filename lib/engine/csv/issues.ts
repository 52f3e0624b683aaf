/** What can be wrong with a CSV file or the input of a prediction. Closed: the dashboard and the API document list them. */
export type FaultCode =
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
  | "not_a_boolean"
  | "not_a_text"
  | "too_many_categories"
  | "not_a_timestamp"
  | "invalid_date"
  | "ambiguous_date"
  | "mixed_zones"
  | "time_not_in_timezone"
  | "invalid_hour"
  | "timestamps_unsorted"
  | "timestamps_duplicate";

/**
 * One fault. `row` counts from 1, the header not counted; null where the fault is the header's or the
 * whole file's. `value` is what stood there, shortened.
 */
export type Fault = {
  row: number | null;
  column: string | null;
  value: string | null;
  code: FaultCode;
  message: string;
  expected?: string;
  /** For a missing column: the column of the file whose name is nearest. */
  nearest?: string;
};

export type CsvWarningCode =
  | "unknown_column"
  | "unseen_category"
  | "outside_range"
  | "empty_column"
  | "header_looks_like_data";

/** Something that does not stop the file from being used. `rows`: how many rows it concerns. */
export type CsvWarning = {
  code: CsvWarningCode;
  column: string | null;
  message: string;
  rows?: number;
  nearest?: string;
  /** Of values outside of what a model was trained on: the first of these rows, and the ranges. */
  firstRow?: number;
  range?: { least: number; greatest: number; trainedMin: number; trainedMax: number };
};

const SHOWN_CHARACTERS = 80;

/** A value as it is shown in a fault: at most 80 characters, and well-formed, so that every JSON store takes it. */
export function shorten(value: string): string {
  const shown = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS - 1)}…` : value;
  return shown.toWellFormed();
}

/**
 * The first `limit` faults in the order of the file — the file's and the header's own, then by row, then by the place
 * of the column — in whatever order they are found; and the number of all.
 */
export class FaultList {
  readonly faults: Fault[] = [];
  count = 0;
  readonly #limit: number;
  #header: readonly string[];
  /** Of the header's names; made for the first fault that is compared with another. */
  #places: Map<string, number> | undefined;

  constructor(limit: number, header: readonly string[] = []) {
    this.#limit = limit;
    this.#header = header;
  }

  /** The names of the columns in their order. Before the first fault that has a row. */
  orderBy(header: readonly string[]): void {
    this.#header = header;
    this.#places = undefined;
  }

  add(fault: Fault): void {
    this.addLazily(fault.row, fault.column, () => fault);
  }

  /** Counts a fault, and makes it only if it is kept: a file can have one in each of millions of cells. */
  addLazily(row: number | null, column: string | null, fault: () => Fault): void {
    this.count++;
    const last = this.faults.at(-1);
    if (this.faults.length >= this.#limit && (last === undefined || !this.#isBefore({ row, column }, last)))
      return;
    let at = this.faults.length;
    while (at > 0 && this.#isBefore({ row, column }, this.faults[at - 1]!)) at--;
    this.faults.splice(at, 0, fault());
    if (this.faults.length > this.#limit) this.faults.pop();
  }

  /** Takes over what another list has kept and counted. */
  addAll({ faults, count }: { faults: readonly Fault[]; count: number }): void {
    for (const fault of faults) this.add(fault);
    this.count += count - faults.length;
  }

  #isBefore(a: Pick<Fault, "row" | "column">, b: Pick<Fault, "row" | "column">): boolean {
    const rows = (a.row ?? 0) - (b.row ?? 0);
    return rows < 0 || (rows === 0 && this.#placeOf(a.column) < this.#placeOf(b.column));
  }

  #placeOf(column: string | null): number {
    if (column === null) return -1;
    this.#places ??= new Map(this.#header.map((name, index) => [name, index]));
    return this.#places.get(column) ?? this.#places.size;
  }
}
