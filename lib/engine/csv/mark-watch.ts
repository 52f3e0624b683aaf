import type { Choice } from "#lib/contract/reading";
import { badValue } from "./cell-issues.ts";
import type { ColumnSettings } from "./cell-reader.ts";
import { type CsvWarning, type Issue, shorten } from "./issues.ts";
import { readNumber } from "./numbers.ts";
import { KNOWN_CODE } from "./units.ts";

const SHOWN = 3;
const GROUPABLE = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Watches whether the decimal mark of a column may separate groups of three digits instead. It may as long as each number
 * with a mark has three digits after it, and each number without one is below 1,000: `985` and `1.056`.
 */
export class MarkWatch {
  mayGroup = true;
  readonly #decimalComma: boolean;
  /** Whether a number of three digits without a mark is needed, as in files with commas, whose points seldom group. */
  #needsWhole: boolean;
  readonly #shown: { row: number; text: string }[] = [];

  constructor({ decimalComma, delimiter }: Pick<ColumnSettings, "decimalComma" | "delimiter">) {
    this.#decimalComma = decimalComma;
    this.#needsWhole = delimiter === ",";
  }

  see(cell: string, value: number, row: number): void {
    if (!this.mayGroup) return;
    if (!/[.,e]/i.test(cell)) this.seeWhole(value);
    else if (GROUPABLE.test(cell)) {
      if (this.#shown.length < SHOWN) this.#shown.push({ row, text: cell });
    } else if (!KNOWN_CODE.test(cell)) this.mayGroup = false;
  }

  /** Sees a number without a mark. */
  seeWhole(value: number): void {
    const size = Math.abs(value);
    if (size < 100) return;
    if (size < 1000) this.#needsWhole &&= KNOWN_CODE.test(String(value));
    else if (!KNOWN_CODE.test(String(value))) this.mayGroup = false;
  }

  /** Returns an issue with both readings, or a warning if the column is neither target nor timestamp; null if it is clear. */
  finding(column: string, isOther: boolean): { issue: Issue } | { warning: CsvWarning } | null {
    const [first] = this.#shown;
    if (!this.mayGroup || first === undefined || this.#needsWhole) return null;
    this.mayGroup = false;
    const mark = this.#decimalComma ? "comma" : "point";
    const choices = ([`decimal-${mark}`, `grouped-${mark}`] as const).map(
      (format): Choice => ({
        label: format.startsWith("decimal") ? `Decimal ${mark}` : "Groups of three digits",
        options: { columnFormats: { [column]: format } },
        cells: this.#shown.map(({ row, text }) => ({ row, text, reading: this.#reading(text, format) })),
      }),
    );
    const [one, two] = choices.map(({ cells }) => cells[0]!.reading);
    const reason = `is ambiguous: ${one} or ${two}. Every number with a ${mark} has three digits after it. Choose with the dataset's columnFormats`;
    if (!isOther)
      return {
        issue: {
          ...badValue({
            row: first.row,
            column,
            text: first.text,
            code: "ambiguous_number",
            reason,
            type: "number",
          }),
          choices,
        },
      };
    const message = `Column "${shorten(column)}" is ambiguous: "${first.text}" may be ${one} or ${two}. The first is used. To choose, set the dataset's columnFormats.`;
    return { warning: { code: "ambiguous_column", column, message, choices } };
  }

  #reading(text: string, format: string): string {
    return String(
      readNumber(format.startsWith("decimal") ? text : text.replace(/[.,]/, ""), this.#decimalComma),
    );
  }
}
