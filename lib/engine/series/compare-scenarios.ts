import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import { type Alignment, align, alignedValues, gather } from "./align.ts";
import { type AxisBuckets, aggregateBuckets, bucketsOf, chooseUnit, countBuckets } from "./buckets.ts";
import { isCertain } from "./certain-rows.ts";
import { commonSpan } from "./common-span.ts";
import { compareBuckets, compareToBaseline } from "./compare.ts";
import { CHART_POINTS, downsampleShared } from "./downsample.ts";
import { type SeriesSummary, summarize } from "./summary.ts";
import { type RowWindow, rowsBetween } from "./window.ts";

/**
 * Predictions of one scenario. `timestamps` are epoch milliseconds. `upper` holds the upper bounds at 90%, only for intervals
 * of sums and means, and `floors` the least values of a scenario with overrides.
 */
export type ScenarioSeries = {
  scenarioId: string;
  timestamps: Float64Array | null;
  prediction: Float64Array;
  upper?: Float64Array | null;
  floors?: Float64Array | undefined;
};

/** A series and its differences from the baseline at each point. NaN is no value. */
export type ComparedSeries = {
  scenarioId: string;
  values: Float64Array;
  differences: Float64Array;
  cumulative: Float64Array;
  totalDifference: number | null;
  percentDifference: number | null;
};

/** A series between `from` and `to`. */
export type SeriesSpan = {
  /** Number of its rows. */
  rowCount: number;
  /** Its rows if they are consecutive and in time order, from 0 and up to, not including, `to`; otherwise null. */
  rows: { from: number; to: number } | null;
  /** Whether the series and the baseline have their rows at the same points. */
  isAligned: boolean;
  /** Number of its values. */
  valueCount: number;
  /** Summary of its values; null for the whole series, which has been summarized before. */
  summary: SeriesSummary | null;
};

/** Aggregation of an axis of times. `auto` chooses the unit. */
export type Bucketing = { unit: BucketUnit | "auto"; aggregate: Aggregate; timezone: string };

export type CompareOptions = {
  bucket?: Bucketing;
  maxPoints?: number;
  from?: number;
  to?: number;
  offset?: number;
  limit?: number;
  /** Points to send: `sent` of an earlier comparison on the same axis and with the same range. */
  points?: Int32Array;
};

/** Axis, in wire format, and series of a comparison. Rows count from 1. */
export type ComparedScenarios = ({ timestamps: string[] } | { rows: number[] }) & {
  pointCount: number;
  /** The points that are sent, counted from the first of the range. */
  sent: Int32Array;
  series: ComparedSeries[];
  /** Actuals at each point, NaN where unknown; null if none is known. */
  actual: Float64Array | null;
  /** Row (from 0) of each series at each point, or -1; of a bucket, its last row with a value. */
  rowOf: Int32Array[];
  spans: SeriesSpan[];
  /** First and last time, or row number, that all series cover which share points with the baseline; null without any. */
  commonSpan: { from: string; to: string } | null;
  /** Aggregation of the points; null if the points are rows. */
  bucketed: Bucketed | null;
};

/** Aggregated points. */
export type Bucketed = {
  unit: BucketUnit;
  /** Times of the first and the last aggregated row; null without rows. */
  from: string | null;
  to: string | null;
  /** Whether the axis covers the whole bucket, at each point. */
  complete: boolean[];
  /** Number of values of each series at each point. */
  counts: Int32Array[];
  /** Sum of their squared half widths at 90%; NaN where one is not known. */
  squares: Float64Array[];
  /** Number of its values that overrides set, and the sum of the least values; null for a series without overrides. */
  overridden: ({ certain: Int32Array; least: Float64Array } | null)[];
};

/** Thrown if the points exceed the size of a response. */
export class TooManyToSend extends RangeError {
  readonly points: number;

  constructor(points: number) {
    super(`${points} points exceed the size of a response`);
    this.points = points;
  }
}

/** Limit for the values of all series. Each takes about 60 characters, and a string holds at most 500 million. */
const SENT_MAX = 5_000_000;

/**
 * Aligns the scenarios, by time if all have times, and computes the differences from the baseline. Totals and
 * cumulative sums cover every point between `from` and `to` (epoch milliseconds, or row numbers from 1 if aligned by
 * row). `pointCount` is the number of those points. `maxPoints` reduces only the points sent, with the same points for
 * all scenarios. `offset` (from 0) and `limit` send one page instead. With `bucket`, points are calendar units, and
 * `from` and `to` extend to whole ones. An axis without times has no buckets.
 *
 * @param baselineId one of the scenarios
 * @param actualsAmong returns the actuals at ascending times (epoch milliseconds), NaN if unknown; null if all are
 *   unknown
 * @throws {AlignmentTooLarge}, {TooManyToSend}
 */
export function compareScenarios(
  scenarios: readonly ScenarioSeries[],
  baselineId: string,
  options: CompareOptions = {},
  actualsAmong: ((times: Float64Array) => Float64Array | null) | null = null,
): ComparedScenarios {
  const alignment = align(
    scenarios.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
  );
  const baselineIndex = scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId);
  if (baselineIndex === -1) throw new RangeError(`The baseline ${baselineId} is not among the scenarios`);
  const { bucket, offset = 0, limit } = options;
  const { timestamps } = alignment;
  const asked = rowsBetween(timestamps, alignment.length, options.from, options.to);
  const buckets = bucket && timestamps ? groupAxis(timestamps, asked, bucket, options.maxPoints) : null;
  const window = buckets?.window ?? asked;
  const { start, end } = window;
  const aligned = scenarios.map(({ prediction }, index) =>
    alignedValues(alignment, index, prediction, window),
  );
  const aggregate = bucket?.aggregate ?? "mean";
  const shown = buckets
    ? aligned.map((values) => aggregateBuckets((point) => values[point]!, buckets.begins, aggregate))
    : aligned;
  const pointCount = buckets ? buckets.starts.length : end - start;
  const maxPoints = options.maxPoints ?? Math.max(2, pointCount);
  const most = Math.min(pointCount, options.points?.length ?? limit ?? maxPoints);
  if (most * scenarios.length > SENT_MAX) throw new TooManyToSend(most);
  const known = timestamps && actualsAmong ? actualsAmong(timestamps.subarray(start, end)) : null;
  const actual = known && buckets ? knownThroughout(known, buckets, aggregate) : known;
  const downsampled = () => downsampleShared(actual ? [...shown, actual] : shown, maxPoints);
  const points = options.points ?? (limit === undefined ? downsampled() : page(pointCount, offset, limit));
  const series = scenarios.map(({ scenarioId }, index): ComparedSeries => {
    const both = [aligned[index]!, aligned[baselineIndex]!] as const;
    const against = buckets
      ? compareBuckets(...both, buckets, aggregate, points)
      : compareToBaseline(...both, points);
    return {
      scenarioId,
      values: gather(shown[index]!, points),
      ...against,
    };
  });
  const rowsOf = alignment.rowOf.map((rows) => rows.subarray(start, end));
  const common = commonSpan(rowsOf, baselineIndex);
  const placeOf = (point: number) =>
    timestamps ? new Date(timestamps[start + point]!).toISOString() : String(start + point + 1);
  const rest = {
    pointCount,
    sent: points,
    commonSpan: common && { from: placeOf(common.start), to: placeOf(common.end - 1) },
    series,
    actual: actual && gather(actual, points),
    rowOf: rowsOf.map((rows, index) =>
      buckets ? lastRows(rows, aligned[index]!, buckets, points) : points.map((point) => rows[point]!),
    ),
    bucketed: buckets && presentBuckets(scenarios, alignment, aligned, buckets, points),
    spans: scenarios.map(({ prediction }, index) =>
      spanOf(rowsOf[index]!, aligned[index]!, {
        seriesRows: prediction.length,
        baseline: rowsOf[baselineIndex]!,
      }),
    ),
  };
  if (timestamps === null) return { rows: Array.from(points, (point) => start + point + 1), ...rest };
  const times = buckets?.starts ?? timestamps.subarray(start, end);
  return { timestamps: Array.from(points, (point) => new Date(times[point]!).toISOString()), ...rest };
}

function groupAxis(
  times: Float64Array,
  window: RowWindow,
  { unit, timezone }: Bucketing,
  maxPoints = CHART_POINTS,
): AxisBuckets | null {
  const chosen = unit === "auto" ? chooseUnit(times, window, maxPoints / 2) : unit;
  return chosen && bucketsOf(times, window, { unit: chosen, timezone });
}

/** Aggregates the buckets in which every point has a value. Others are NaN. */
function knownThroughout(
  values: Float64Array,
  { begins }: AxisBuckets,
  aggregate: Aggregate,
): Float64Array | null {
  const counts = countBuckets(values, begins);
  const known = aggregateBuckets((point) => values[point]!, begins, aggregate).map((value, bucket) =>
    counts[bucket] === begins[bucket + 1]! - begins[bucket]! ? value : Number.NaN,
  );
  return known.every(Number.isNaN) ? null : known;
}

/** Returns the last row with a value of each asked bucket, or -1. */
function lastRows(
  rows: Int32Array,
  values: Float64Array,
  { begins }: AxisBuckets,
  asked: Int32Array,
): Int32Array {
  return asked.map((bucket) => {
    for (let point = begins[bucket + 1]! - 1; point >= begins[bucket]!; point--)
      if (!Number.isNaN(values[point])) return rows[point]!;
    return -1;
  });
}

function presentBuckets(
  scenarios: readonly ScenarioSeries[],
  { rowOf, timestamps }: Alignment,
  aligned: readonly Float64Array[],
  { unit, begins, complete, window: { start, end } }: AxisBuckets,
  asked: Int32Array,
): Bucketed {
  const sumOf =
    (index: number, ofRow: (row: number, value: number) => number) =>
    (bucket: number): number => {
      let sum = 0;
      for (let point = begins[bucket]!; point < begins[bucket + 1]!; point++) {
        const value = aligned[index]![point]!;
        if (!Number.isNaN(value)) sum += ofRow(rowOf[index]![start + point]!, value);
      }
      return sum;
    };
  const squaresOf = ({ upper, floors }: ScenarioSeries, index: number) =>
    sumOf(index, (row, value) =>
      isCertain({ upper: upper!, floors }, row) ? 0 : (upper![row]! - value) ** 2,
    );
  const timeOf = (point: number) => (start < end ? new Date(timestamps![point]!).toISOString() : null);
  return {
    unit,
    from: timeOf(start),
    to: timeOf(end - 1),
    complete: Array.from(asked, (bucket) => complete[bucket]!),
    counts: aligned.map((values) => {
      const counts = countBuckets(values, begins);
      return asked.map((bucket) => counts[bucket]!);
    }),
    squares: scenarios.map((one, index) =>
      one.upper
        ? Float64Array.from(asked, squaresOf(one, index))
        : new Float64Array(asked.length).fill(Number.NaN),
    ),
    overridden: scenarios.map(({ upper = null, floors }, index) => {
      if (floors === undefined) return null;
      const certain = sumOf(index, (row) => (isCertain({ upper, floors }, row) ? 1 : 0));
      const least = sumOf(index, (row) => floors[row]!);
      return { certain: asked.map(certain), least: Float64Array.from(asked, least) };
    }),
  };
}

/** @param rows row at each point, or -1 */
function spanOf(
  rows: Int32Array,
  values: Float64Array,
  { seriesRows, baseline }: { seriesRows: number; baseline: Int32Array },
): SeriesSpan {
  let isAligned = true;
  let rowCount = 0;
  let valueCount = 0;
  let first = -1;
  let last = -1;
  let isOrdered = true;
  for (let point = 0; point < rows.length; point++) {
    const row = rows[point]!;
    if ((row === -1) !== (baseline[point] === -1)) isAligned = false;
    if (row === -1) continue;
    if (rowCount++ === 0) first = row;
    else if (row !== last + 1) isOrdered = false;
    last = row;
    if (!Number.isNaN(values[point])) valueCount++;
  }
  const isWhole = rowCount === seriesRows;
  return {
    rowCount,
    rows: isOrdered && rowCount > 0 ? { from: first, to: last + 1 } : null,
    isAligned,
    valueCount,
    summary: isWhole ? null : summarize(values),
  };
}

function page(length: number, offset: number, limit: number): Int32Array {
  const first = Math.min(offset, length);
  return Int32Array.from({ length: Math.min(limit, length - first) }, (_, index) => first + index);
}
