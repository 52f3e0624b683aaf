import type { Summary } from "#lib/contract/scenarios";
import { RunningSum } from "./sum.ts";

/** Summary of a scenario's predictions. Fields are null without values. */
export type SeriesSummary = Pick<Summary, "mean" | "min" | "max" | "sum" | "first" | "last">;

/** Summarizes a series. NaN is no value; `first` and `last` are the first and last values present. */
export function summarize(values: Float64Array): SeriesSummary {
  const summary = new RunningSummary();
  summary.add(values);
  return summary.value;
}

/** Summarizes a series that arrives in parts. The result equals that of the whole series, to the bit. */
export class RunningSummary {
  readonly #sum = new RunningSum();
  #count = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #first = Number.NaN;
  #last = Number.NaN;

  add(values: Float64Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (Number.isNaN(value)) continue;
      if (this.#count++ === 0) this.#first = value;
      this.#last = value;
      if (value < this.#min) this.#min = value;
      if (value > this.#max) this.#max = value;
      this.#sum.add(value);
    }
  }

  /** Number of values. */
  get count(): number {
    return this.#count;
  }

  get value(): SeriesSummary {
    return {
      mean: wireNumber(this.#sum.value / this.#count),
      min: wireNumber(this.#min),
      max: wireNumber(this.#max),
      sum: this.#count === 0 ? null : wireNumber(this.#sum.value),
      first: wireNumber(this.#first),
      last: wireNumber(this.#last),
    };
  }
}

/** Returns null for NaN and infinity, which JSON lacks. */
export function wireNumber(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns the values at these rows (default: all), with null for NaN. */
export function wireNumbers(values: Float64Array, rows?: Int32Array): (number | null)[] {
  const { length } = rows ?? values;
  // `Array.from` would call an iterator and a function for each value, which takes several times as long.
  const numbers = new Array<number | null>(length);
  for (let at = 0; at < length; at++) numbers[at] = wireNumber(values[rows === undefined ? at : rows[at]!]!);
  return numbers;
}
