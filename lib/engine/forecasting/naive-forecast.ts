import { forecastOrigin } from "#lib/engine/features/target-history";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { seasonalNaive } from "#lib/engine/learners/seasonal-naive";
import { endedAfter, type KnownSeries } from "./known-series.ts";

/** A naive forecast: repeats the last season before each forecast origin. */
export type Naive = {
  /** Steps in a season; 1 repeats the last value. */
  season: number;
  /** Steps from one forecast origin to the next inside the known series. */
  horizon: number;
};

export function naiveName({ season }: Naive): string {
  return season === 1 ? "last value" : `seasonal naive, ${season} steps`;
}

/**
 * Computes the naive forecast of grid cells with the same forecast origins as a model: every `horizon` steps inside
 * the known series, and its end for later cells. After the end, the last season repeats without limit.
 */
export function naiveForecast(known: KnownSeries, indexes: ArrayLike<number>, naive: Naive): Float64Array {
  const { season, horizon } = naive;
  const byOrigin = new Map<number, Float64Array>();
  return Float64Array.from(indexes, (index) => {
    const origin = forecastOrigin(index, known.end, horizon);
    let forecast = byOrigin.get(origin);
    if (!forecast) {
      const before = known.observed.subarray(0, Math.max(0, origin - known.firstIndex));
      const length = origin === known.end ? season : Math.min(season, horizon);
      forecast = seasonalNaive(before, season, length);
      byOrigin.set(origin, forecast);
    }
    return forecast[(index - origin) % season]!;
  });
}

/**
 * Chooses between the last value and the seasons by the error on the last fifth of the rows, predicted from the rows
 * before.
 *
 * @param indexes cells of the rows to choose on, in time order, and their values
 */
export function chooseNaive(
  known: KnownSeries,
  { indexes, targets }: { indexes: Int32Array; targets: Float64Array },
  { seasons, horizon }: { seasons: readonly number[]; horizon: number },
): Naive {
  const from = Math.max(1, Math.floor(targets.length * 0.8));
  const before = endedAfter(known, { before: indexes[from - 1]!, last: indexes.at(-1)!, horizon });
  const tested = [1, ...seasons].map((season) => {
    const forecast = naiveForecast(before, indexes.subarray(from), { season, horizon });
    return { season, error: regressionMetrics(targets.subarray(from), forecast).rmse ?? Infinity };
  });
  const { season } = tested.reduce((a, b) => (b.error < a.error ? b : a));
  return { season, horizon };
}

/** Returns the grid cell of each row of the known series' table, whose rows are in time order. */
export function rowIndexes(known: KnownSeries, rows: number): Int32Array {
  const indexes = new Int32Array(rows);
  let next = 0;
  known.rowAt.forEach((row, at) => {
    if (row < 0) return;
    // Earlier rows of the same cell precede its last row.
    indexes.fill(known.firstIndex + at, next, row + 1);
    next = row + 1;
  });
  return indexes;
}
