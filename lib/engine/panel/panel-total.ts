import type { IntervalShape } from "#lib/contract/interval-shape";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import type { Total } from "#lib/engine/intervals/total-intervals";
import { TimeSums } from "./time-sums.ts";

/**
 * Adds up rows of many series that arrive in parts, first at each time and then over all times. The errors at one time are as
 * dependent as `seriesSumWidth` says; those of consecutive times are as dependent as the errors of one series.
 */
export class PanelTotal {
  readonly #sums = new TimeSums();
  readonly #widths = new TimeSums();
  readonly #squares = new TimeSums();

  /** @param upper upper bounds at 90%; NaN for a value that an override sets, which adds no width. Null without intervals */
  add(times: Float64Array, prediction: Float64Array, upper: Float64Array | null): void {
    this.#sums.add(times, prediction);
    if (upper === null) return;
    const widths = prediction.map((value, row) => upper[row]! - value);
    this.#widths.add(times, widths);
    this.#squares.add(
      times,
      widths.map((width) => width ** 2),
    );
  }

  /** The sum at each time, in the order of time. */
  get sums(): Float64Array {
    return this.#sums.values;
  }

  /** The sum over all times, whose squared widths are NaN if the dependence of the errors of series is not known. */
  total(shape: IntervalShape | null): Total {
    const sums = this.sums.filter((value) => !Number.isNaN(value));
    return {
      sum: sums.reduce((sum, value) => sum + value, 0),
      count: sums.length,
      squaredWidths: this.#squaredWidths(shape?.sharedBySeries),
    };
  }

  #squaredWidths(shared: number | undefined): number {
    const [ofWidths, squares] = [this.#widths.values, this.#squares.values];
    if (shared === undefined || ofWidths.length === 0) return Number.NaN;
    return ofWidths.reduce((sum, widths, at) => {
      const width = seriesSumWidth({ widths, squares: squares[at]! }, shared);
      return Number.isNaN(width) ? sum : sum + width ** 2;
    }, 0);
  }
}
