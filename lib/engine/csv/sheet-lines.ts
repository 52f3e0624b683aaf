import { headerRowOf } from "./header-row.ts";
import type { CsvWarning } from "./issues.ts";
import type { CsvOptions, SheetBatch } from "./options.ts";
import type { Origin } from "./origin.ts";

/** Follows the rows of a sheet, to know the row of the sheet for each row that is read. */
export class SheetLines {
  readonly origin: NonNullable<Origin["sheet"]>;
  readonly #options: CsvOptions;
  #line = 0;
  /** Rows of the table so far. */
  #rows = 0;
  #shift = Number.NaN;

  constructor({ sheet, sheets, lead }: SheetBatch, options: CsvOptions) {
    this.origin = { name: sheet, sheets, header: [], lead, shifts: [] };
    this.#options = options;
  }

  /** Returns the rows without those above the header, if they are the first ones. */
  below(rows: SheetBatch["rows"]): SheetBatch["rows"] {
    const place = this.#line === 0 ? headerRowOf(this.#options) : null;
    if (place === null) return rows;
    const above = place.find(rows.map((row) => row.join("\t"))) - 1;
    this.skip(above);
    return rows.slice(above);
  }

  skip(lines: number): void {
    this.#line += lines;
  }

  /** Advances by a row of the sheet, after which the table has `rows` rows. */
  next(rows: number): void {
    this.#line++;
    if (rows === this.#rows) return;
    this.#rows = rows;
    if (this.#line - rows === this.#shift) return;
    this.#shift = this.#line - rows;
    this.origin.shifts.push([rows, this.#shift]);
  }

  /** Names the other sheets, unless the request chooses one. */
  get warnings(): CsvWarning[] {
    const { name, sheets } = this.origin;
    if (sheets.length < 2 || this.#options.sheet !== undefined || this.#options.columns !== undefined)
      return [];
    const others = sheets.filter((other) => other !== name);
    const choices = others.map((sheet) => ({ label: `Sheet ${sheet}`, options: { sheet }, cells: [] }));
    const message = `The first sheet, "${name}", is read. To read another one, send its name as \`sheet\`: ${others.map((other) => `"${other}"`).join(", ")}.`;
    return [{ code: "other_sheets", column: null, message, choices }];
  }
}
