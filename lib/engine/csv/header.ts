import { unescapeFormula } from "./formulas.ts";
import { type Fault, type FaultList, shorten } from "./issues.ts";
import { readNumber } from "./numbers.ts";

export const MAX_COLUMNS = 20_000;
/** A name stands in every fault of its column: without a bound a small file could ask for an endless answer. */
const MAX_NAME_CHARACTERS = 1_000;

/** Names without the white space around them; faults for empty, repeated, too long and too many names. */
export function readHeader(cells: readonly string[], faults: FaultList): string[] {
  const header = cells.slice(0, MAX_COLUMNS).map((cell) => unescapeFormula(cell.trim()).toWellFormed());
  if (cells.length > MAX_COLUMNS) {
    const message = `The header has ${cells.length} columns; at most ${MAX_COLUMNS} are read.`;
    faults.add(headerFault("too_many_columns", null, message));
  }
  const first = new Map<string, number>();
  header.forEach((name, index) => {
    if (name === "") {
      faults.add(
        headerFault(
          "empty_header",
          null,
          `Column ${index + 1} has no name in the header: name it, or remove it.`,
        ),
      );
      return;
    }
    if (name.length > MAX_NAME_CHARACTERS) {
      const message = `The name of column ${index + 1} has ${name.length} characters; at most ${MAX_NAME_CHARACTERS} are read.`;
      faults.add({ ...headerFault("name_too_long", null, message), value: shorten(name) });
      header[index] = name.slice(0, MAX_NAME_CHARACTERS).toWellFormed();
      return;
    }
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else {
      const message = `The header names "${shorten(name)}" twice, columns ${before + 1} and ${index + 1}: rename or remove one.`;
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
