import { type DateOrder, unpackYearLast, yearLastMs } from "./timestamps.ts";

/** Number of texts kept for issues. No more are listed. */
const KEPT_MAX = 100;

/** A date that is valid in both orders, with both readings as ISO dates. */
type UndecidedDate = { row: number; text: string; monthFirst: string; dayFirst: string };

/** Determines from a whole column of dates with the year last whether the month or the day comes first. */
export class DateOrderFinder {
  #firstOver12 = 0;
  #secondOver12 = 0;
  #undecided: { row: number; text: string; packed: number } | null = null;
  /** Maps rows to the texts of the first dates that are invalid in each order. */
  readonly #failing = { "month-first": new Map<number, string>(), "day-first": new Map<number, string>() };

  see(row: number, packed: number, text: string): void {
    const { first, second } = unpackYearLast(packed);
    if (first > 12) this.#firstOver12++;
    if (second > 12) this.#secondOver12++;
    if (first <= 12 && second <= 12 && first !== second) this.#undecided ??= { row, text, packed };
    for (const order of ["month-first", "day-first"] as const) {
      const failing = this.#failing[order];
      if (failing.size < KEPT_MAX && Number.isNaN(yearLastMs(packed, order))) failing.set(row, text);
    }
  }

  /** Returns `known`, or the order of most rows that allow only one. Returns an undecided date if no row decides. */
  decide(known: DateOrder | null): { order: DateOrder; undecided: UndecidedDate | null } {
    if (known !== null) return { order: known, undecided: null };
    if (this.#firstOver12 > this.#secondOver12) return { order: "day-first", undecided: null };
    if (this.#secondOver12 > 0 || this.#undecided === null) return { order: "month-first", undecided: null };
    const { row, text, packed } = this.#undecided;
    const monthFirst = dayText(yearLastMs(packed, "month-first"));
    const dayFirst = dayText(yearLastMs(packed, "day-first"));
    return { order: "month-first", undecided: { row, text, monthFirst, dayFirst } };
  }

  /** Returns the text of a date that is invalid in the chosen order. */
  textOf(row: number, packed: number): string {
    const { year, first, second } = unpackYearLast(packed);
    const texts = [this.#failing["month-first"].get(row), this.#failing["day-first"].get(row)];
    return texts.find((text) => text !== undefined) ?? [first, second, year].join("/");
  }
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
