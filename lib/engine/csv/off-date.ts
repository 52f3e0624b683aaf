import type { DateRule } from "#lib/contract/date-rule";
import type { Column, Table } from "#lib/contract/table";
import { datePartText, dateRuleReader, dateValueAt } from "#lib/engine/time/date-rule";
import { shorten } from "./issues.ts";

/** A warning about values that differ from those of the date. The given values are used. */
export type OffDateWarning = {
  code: "differs_from_date";
  column: string;
  message: string;
  rows: number;
  /** Counts from 1. */
  firstRow: number;
};

type RuledFeature = { name: string; dateRule?: DateRule | undefined };

/** Counts the values that differ from those of the rows' dates, in rows that arrive in parts. */
export class OffDateTally {
  readonly #time: string | undefined;
  readonly #tallies: readonly OffDateColumn[];
  #rowCount = 0;

  /** @param time name of the time column; undefined without one */
  constructor(features: readonly RuledFeature[], time: string | undefined) {
    this.#time = time;
    this.#tallies = features.flatMap(({ name, dateRule }) =>
      dateRule ? new OffDateColumn(name, dateRule) : [],
    );
  }

  /** Adds the next rows. */
  add({ rowCount, columns }: Pick<Table, "rowCount" | "columns">): void {
    if (this.#tallies.length === 0) return;
    const times = columns.find(({ name }) => name === this.#time);
    if (times?.type === "timestamp")
      for (const tally of this.#tallies) {
        const column = columns.find(({ name }) => name === tally.name);
        if (column) tally.add(column, times.values, this.#rowCount);
      }
    this.#rowCount += rowCount;
  }

  get warnings(): OffDateWarning[] {
    return this.#tallies.flatMap((tally) => tally.warning(this.#rowCount) ?? []);
  }
}

class OffDateColumn {
  readonly name: string;
  readonly #rule: DateRule;
  readonly #valueOf: ReturnType<typeof dateRuleReader>;
  #rows = 0;
  #first: { row: number; found: string; expected: string } | undefined;

  constructor(name: string, rule: DateRule) {
    this.name = name;
    this.#rule = rule;
    this.#valueOf = dateRuleReader(rule);
  }

  add(column: Column, instants: Float64Array, before: number): void {
    for (let row = 0; row < instants.length; row++) {
      const found = dateValueAt(column, row);
      if (found === null) continue;
      const expected = this.#valueOf(instants[row]!);
      if (expected === null || found === expected) continue;
      this.#rows++;
      this.#first ??= { row: before + row + 1, found: String(found), expected: String(expected) };
    }
  }

  warning(rowCount: number): OffDateWarning | null {
    if (this.#first === undefined) return null;
    const { row, found, expected } = this.#first;
    const count = (value: number) => value.toLocaleString("en");
    const where =
      this.#rows === 1
        ? `in row ${row}`
        : `in ${count(this.#rows)} of ${count(rowCount)} rows, first in row ${row}`;
    const message = `Column "${shorten(this.name)}" differs from the date ${where}: it is ${shorten(found)}, but follows from the ${datePartText(this.#rule)} as ${shorten(expected)}. The given values are used.`;
    return { code: "differs_from_date", column: this.name, message, rows: this.#rows, firstRow: row };
  }
}
