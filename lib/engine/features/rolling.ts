import type { RollingStatistic } from "./pipeline.ts";

/** Computes a statistic of the values present, NaN without any. `std` is the sample's (n - 1), 0 for one value. */
export function rollingStatistic(values: Float64Array, statistic: RollingStatistic): number {
  const present = values.filter((value) => !Number.isNaN(value));
  const count = present.length;
  if (count === 0) return Number.NaN;
  switch (statistic) {
    case "min":
      return present.reduce((least, value) => Math.min(least, value));
    case "max":
      return present.reduce((most, value) => Math.max(most, value));
    case "sum":
      return sum(present);
    case "mean":
      return sum(present) / count;
    case "median": {
      const sorted = present.sort();
      const middle = count >> 1;
      return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
    }
    case "std": {
      if (count === 1) return 0;
      const mean = sum(present) / count;
      return Math.sqrt(sum(present.map((value) => (value - mean) ** 2)) / (count - 1));
    }
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
