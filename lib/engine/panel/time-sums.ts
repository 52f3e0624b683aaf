import { RunningSum } from "#lib/engine/series/sum";

/** Adds the values of rows that arrive in parts at each time, as `sumSeries` adds those of all series. */
export class TimeSums {
  readonly #sums = new Map<number, RunningSum | null>();

  add(times: Float64Array, values: Float64Array): void {
    for (let row = 0; row < times.length; row++) {
      const known = this.#sums.get(times[row]!) ?? null;
      if (Number.isNaN(values[row])) {
        this.#sums.set(times[row]!, known);
        continue;
      }
      const sum = known ?? new RunningSum();
      sum.add(values[row]!);
      if (known === null) this.#sums.set(times[row]!, sum);
    }
  }

  /** The sum at each time, in the order of time; NaN if no row has a value. */
  get values(): Float64Array {
    const sorted = [...this.#sums].sort(([a], [b]) => a - b);
    return Float64Array.from(sorted, ([, sum]) => sum?.value ?? Number.NaN);
  }
}
