/** What can be wrong with a CSV file. Closed: the dashboard and the API document list them. */
export type FaultCode =
  | "unsupported_encoding"
  | "compressed_file"
  | "invalid_encoding"
  | "nul_character"
  | "empty_file"
  | "no_rows"
  | "empty_header"
  | "duplicate_header"
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
};

const SHOWN_CHARACTERS = 80;

/** A value as it is shown in a fault: at most 80 characters, and well-formed, so that every JSON store takes it. */
export function shorten(value: string): string {
  const shown = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS - 1)}…` : value;
  return shown.toWellFormed();
}

/** Keeps the first `limit` faults in the order they come, and counts all of them. */
export class FaultList {
  readonly faults: Fault[] = [];
  count = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(fault: Fault): void {
    this.addLazily(() => fault);
  }

  /** Counts a fault, and makes it only if it is kept: a file can have one in each of millions of rows. */
  addLazily(fault: () => Fault): void {
    this.count++;
    if (this.faults.length < this.#limit) this.faults.push(fault());
  }
}

/** File and header faults first, then by row, then by the order of the columns; the first `limit` of them. */
export function firstFaults(faults: Fault[], header: readonly string[], limit: number): Fault[] {
  const position = new Map(header.map((name, index) => [name, index]));
  const place = (fault: Fault) =>
    fault.column === null ? -1 : (position.get(fault.column) ?? header.length);
  return faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || place(a) - place(b)).slice(0, limit);
}
