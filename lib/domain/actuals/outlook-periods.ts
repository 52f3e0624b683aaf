import type { IntervalShape } from "#lib/contract/interval-shape";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";
import type { GridDefinition } from "#lib/engine/features/grid";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import { sumBounds, type Total } from "#lib/engine/intervals/total-intervals";
import { calendarGrid } from "#lib/engine/series/buckets";
import { isCertain } from "#lib/engine/series/certain-rows";
import { RunningSum } from "#lib/engine/series/sum";
import { wireNumber } from "#lib/engine/series/summary";
import { stepOf } from "./actuals-of.ts";

/** Values at times (epoch milliseconds). `seriesOf`: series of each value in a panel, from 0 (-1: does not count); null for one series. */
type Values = { times: Float64Array; values: Float64Array; seriesOf: Int32Array | null };

export type OutlookRequest = {
  /** Predictions; NaN for rows that do not count. */
  forecast: Values & { upper: Float64Array | null; floors?: Float64Array };
  /** Known values of the target. If two share a step, the later one counts. Null if none is known. */
  actual: Values | null;
  seriesCount: number;
  /** Grid on which the times of both are matched; null: by equal times. */
  grid: GridDefinition | null;
  unit: OutlookUnit;
  timezone: string;
  /** First time, and the time behind the last one. */
  range: { from: number; behind: number };
  shape: IntervalShape | null;
};

/**
 * Adds up actual values and predictions by period. Each step of a series counts once: its actual value if it is known, else its
 * prediction. Leaves out periods without either.
 */
export async function outlookPeriodsOf({
  forecast,
  actual,
  seriesCount,
  grid,
  unit,
  timezone,
  range,
  shape,
}: OutlookRequest): Promise<OutlookPeriod[]> {
  const step = stepOf(grid);
  const places = new Map<number, number>();
  // A step of a series, as one number.
  const cellOf = ({ times, seriesOf }: Values, row: number) => {
    const at = step(times[row]!);
    let place = places.get(at);
    if (place === undefined) {
      place = places.size;
      places.set(at, place);
    }
    return place * seriesCount + (seriesOf?.[row] ?? 0);
  };
  const isWithin = (time: number) => time >= range.from && time < range.behind;
  const known = new Map<number, number>();
  actual?.times.forEach((time, row) => {
    if (isWithin(time) && actual.seriesOf?.[row] !== -1) known.set(cellOf(actual, row), row);
  });
  const periods = new Periods(range.from, unit, timezone);
  for (const row of known.values()) periods.at(actual!.times[row]!).addActual(actual!.values[row]!);
  const { upper, floors } = forecast;
  forecast.times.forEach((time, row) => {
    const value = forecast.values[row]!;
    if (!isWithin(time) || Number.isNaN(value) || known.has(cellOf(forecast, row))) return;
    const width = upper === null ? Number.NaN : upper[row]! - value;
    const least = floors?.[row] ?? shape?.floor ?? Number.NEGATIVE_INFINITY;
    const ofPanel = forecast.seriesOf === null ? null : time;
    periods
      .at(time)
      .addForecast(value, isCertain({ upper, floors }, row) ? null : width, { time: ofPanel, least });
  });
  return periods.present(shape);
}

class Periods {
  readonly #grid;
  readonly #sums = new Map<number, PeriodSums>();
  #latest: PeriodSums | null = null;

  constructor(time: number, unit: OutlookUnit, timezone: string) {
    this.#grid = calendarGrid(time, unit, timezone);
  }

  at(time: number): PeriodSums {
    // Consecutive rows are mostly of one period, and the calendar of a zone is slow.
    const latest = this.#latest;
    if (latest !== null && time >= latest.start && time < latest.end) return latest;
    const index = this.#grid.indexOf(time);
    const sums =
      this.#sums.get(index) ?? new PeriodSums(this.#grid.timeAt(index), this.#grid.timeAt(index + 1));
    this.#sums.set(index, sums);
    this.#latest = sums;
    return sums;
  }

  present(shape: IntervalShape | null): OutlookPeriod[] {
    const ordered = [...this.#sums].sort(([a], [b]) => a - b);
    return ordered.map(([, sums]) => sums.present(shape));
  }
}

class PeriodSums {
  readonly start: number;
  readonly end: number;
  readonly #actual = new RunningSum();
  readonly #forecast = new RunningSum();
  readonly #widths = new Map<number | null, { widths: number; squares: number; rows: number }>();
  #actualRows = 0;
  #forecastRows = 0;
  #least = 0;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }

  addActual(value: number): void {
    this.#actual.add(value);
    this.#actualRows++;
  }

  /**
   * @param width half width at 90%; NaN if not known, null for a value that is set
   * @param time of a row of many series, whose errors at one time depend on each other; otherwise null
   */
  addForecast(
    value: number,
    width: number | null,
    { time, least }: { time: number | null; least: number },
  ): void {
    this.#forecast.add(value);
    this.#forecastRows++;
    this.#least += least;
    if (width === null) return;
    const sums = this.#widths.get(time) ?? { widths: 0, squares: 0, rows: 0 };
    this.#widths.set(time, sums);
    sums.widths += width;
    sums.squares += width ** 2;
    sums.rows++;
  }

  /** Adds up the forecast, whose rows of many series at one time are one. */
  #total(shared: number): Total {
    const total = { sum: this.#forecast.value, count: 0, squaredWidths: 0, least: this.#least };
    for (const [time, sums] of this.#widths) {
      total.count += time === null ? sums.rows : 1;
      total.squaredWidths += time === null ? sums.squares : seriesSumWidth(sums, shared) ** 2;
    }
    return total;
  }

  present(shape: IntervalShape | null): OutlookPeriod {
    const [actual, forecast] = [this.#actual.value, this.#forecast.value];
    const forecastRows = this.#forecastRows;
    const shared = shape?.sharedBySeries ?? Number.NaN;
    const bounds = forecastRows === 0 ? certain : sumBounds(this.#total(shared), shape);
    return {
      start: new Date(this.start).toISOString(),
      end: new Date(this.end).toISOString(),
      actual: this.#actualRows === 0 ? null : wireNumber(actual),
      actualRows: this.#actualRows,
      forecast: forecastRows === 0 ? null : wireNumber(forecast),
      forecastRows,
      total: wireNumber(actual + forecast),
      lower: bounds && wireNumber(actual + bounds.lower),
      upper: bounds && wireNumber(actual + bounds.upper),
    };
  }
}

/** Bounds of the forecast of a period that is over. */
const certain = { lower: 0, upper: 0 };
