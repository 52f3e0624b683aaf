import { type Fault, type FaultList, shorten } from "./faults.ts";
import { readNumber } from "./numbers.ts";

export const MAX_COLUMNS = 20_000;

/** Names without the white space around them; faults for empty, repeated and too many names. */
export function readHeader(cells: readonly string[], faults: FaultList): string[] {
  const header = cells.slice(0, MAX_COLUMNS).map((cell) => cell.trim().toWellFormed());
  if (cells.length > MAX_COLUMNS) {
    const message = `The header has ${cells.length} columns; at most ${MAX_COLUMNS} are read.`;
    faults.add(headerFault("too_many_columns", null, message));
  }
  const first = new Map<string, number>();
  header.forEach((name, index) => {
    if (name === "") {
      faults.add(headerFault("empty_header", null, `Column ${index + 1} has no name in the header.`));
      return;
    }
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else {
      const message = `The header names "${shorten(name)}" twice: columns ${before + 1} and ${index + 1}.`;
      faults.add(headerFault("duplicate_header", name, message));
    }
  });
  return header;
}

function headerFault(code: Fault["code"], column: string | null, message: string): Fault {
  return { row: null, column, value: null, code, message };
}

/** A header of numbers alone is most likely the first row of data. */
export function looksLikeData(header: readonly string[]): boolean {
  return header.length > 0 && header.every((name) => !Number.isNaN(readNumber(name, false)));
}
