import type { Column } from "#lib/contract/table";
import {
  addMissingFault,
  type CellReader,
  type ColumnExpectation,
  type ColumnSettings,
  isMissing,
} from "./cell-reader.ts";
import { FaultList, shorten } from "./faults.ts";
import { GrowingFloats, GrowingInts } from "./growing.ts";
import { explainNotANumber, readNumber } from "./numbers.ts";

export class NumberReader implements CellReader {
  readonly faults: FaultList;
  readonly #values = new GrowingFloats();
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    this.faults = new FaultList(settings.maxFaults);
  }

  push(cell: string): void {
    const { decimalComma, missing } = this.#settings;
    const declaredMissing = missing.size > 0 && missing.has(cell);
    const value = declaredMissing ? Number.NaN : readNumber(cell, decimalComma);
    this.#values.push(value);
    if (Number.isNaN(value)) this.#explain(cell);
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  #explain(cell: string): void {
    const { name, missingAllowed } = this.#expectation;
    const row = this.#values.length;
    if (isMissing(cell, this.#settings)) {
      if (!missingAllowed) addMissingFault(this.faults, name, row, "a number");
      return;
    }
    this.faults.addLazily(() => {
      const { code, reason } = explainNotANumber(cell, this.#settings.decimalComma);
      const value = shorten(cell);
      const message = `Row ${row}, column "${name}": "${value}" ${reason}.`;
      return { row, column: name, value, code, message, expected: "a number" };
    });
  }

  finish(): Column {
    return { name: this.#expectation.name, type: "number", values: this.#values.take() };
  }
}

export class BooleanReader implements CellReader {
  readonly faults: FaultList;
  readonly #values = new GrowingFloats();
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    this.faults = new FaultList(settings.maxFaults);
  }

  push(cell: string): void {
    const word = isMissing(cell, this.#settings) ? "" : cell.toLowerCase();
    if (word === "true" || word === "1") this.#values.push(1);
    else if (word === "false" || word === "0") this.#values.push(0);
    else {
      this.#values.push(Number.NaN);
      this.#explain(cell);
    }
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  #explain(cell: string): void {
    const { name, missingAllowed } = this.#expectation;
    const row = this.#values.length;
    const expected = "true or false";
    if (isMissing(cell, this.#settings)) {
      if (!missingAllowed) addMissingFault(this.faults, name, row, expected);
      return;
    }
    this.faults.addLazily(() => {
      const value = shorten(cell);
      const message = `Row ${row}, column "${name}": "${value}" is neither true nor false.`;
      return { row, column: name, value, code: "not_a_boolean", message, expected };
    });
  }

  finish(): Column {
    return { name: this.#expectation.name, type: "boolean", values: this.#values.take() };
  }
}

export class CategoryReader implements CellReader {
  readonly faults: FaultList;
  readonly #codes = new GrowingInts();
  readonly #known = new Map<string, number>();
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    this.faults = new FaultList(settings.maxFaults);
  }

  push(cell: string): void {
    if (isMissing(cell, this.#settings)) {
      this.#codes.push(-1);
      const { name, missingAllowed } = this.#expectation;
      if (!missingAllowed) addMissingFault(this.faults, name, this.#codes.length, "a text");
      return;
    }
    let code = this.#known.get(cell);
    if (code === undefined) {
      code = this.#known.size;
      this.#known.set(detached(cell), code);
    }
    this.#codes.push(code);
  }

  skip(): void {
    this.#codes.push(-1);
  }

  finish(): Column {
    const categories = [...this.#known.keys()];
    return { name: this.#expectation.name, type: "category", codes: this.#codes.take(), categories };
  }
}

/**
 * A copy that stands alone: engines keep a longer part of a text as a view into the whole, and a few
 * categories would hold all of a large file in memory.
 */
function detached(text: string): string {
  return text.length < 13 ? text : text.split("").join("");
}
