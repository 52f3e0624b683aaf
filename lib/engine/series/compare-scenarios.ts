import { align, alignedValues } from "./align.ts";
import { compareToBaseline } from "./compare.ts";
import { downsampleShared } from "./downsample.ts";
import { type SeriesSummary, summarize, wireNumbers } from "./summary.ts";
import { rowsBetween } from "./window.ts";

/** Predictions of one scenario. `timestamps` are epoch milliseconds. */
export type ScenarioSeries = {
  scenarioId: string;
  timestamps: Float64Array | null;
  prediction: Float64Array;
};

type ComparedSeries = {
  scenarioId: string;
  values: (number | null)[];
  differences: (number | null)[];
  cumulative: (number | null)[];
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

export type CompareOptions = {
  maxPoints?: number;
  from?: number;
  to?: number;
  offset?: number;
  limit?: number;
};

/** Axis and series of a comparison in wire format. Rows count from 1. */
export type ComparedScenarios = ({ timestamps: string[] } | { rows: number[] }) & {
  pointCount: number;
  series: ComparedSeries[];
  /** Actuals at each point, or null if none is known. */
  actual: (number | null)[] | null;
  /** Row (from 0) of each series at each point, or -1. Only the bounds of these rows are read. */
  rowOf: Int32Array[];
  spans: SeriesSpan[];
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
 * all scenarios. `offset` (from 0) and `limit` send one page instead.
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
  const { start, end } = rowsBetween(alignment.timestamps, alignment.length, options.from, options.to);
  const aligned = scenarios.map(({ prediction }, index) =>
    alignedValues(alignment, index, prediction, { start, end }),
  );
  const { maxPoints = Math.max(2, end - start), offset = 0, limit } = options;
  const sent = Math.min(end - start, limit ?? maxPoints);
  if (sent * scenarios.length > SENT_MAX) throw new TooManyToSend(sent);
  const times = alignment.timestamps?.subarray(start, end);
  const actual = times && actualsAmong ? actualsAmong(times) : null;
  const points =
    limit === undefined
      ? downsampleShared(actual ? [...aligned, actual] : aligned, maxPoints)
      : page(end - start, offset, limit);
  const series = scenarios.map(({ scenarioId }, index): ComparedSeries => {
    const values = aligned[index]!;
    const against = compareToBaseline(values, aligned[baselineIndex]!, points);
    return {
      scenarioId,
      values: wireNumbers(values, points),
      differences: wireNumbers(against.differences),
      cumulative: wireNumbers(against.cumulative),
      totalDifference: against.totalDifference,
      percentDifference: against.percentDifference,
    };
  });
  const { timestamps } = alignment;
  const rest = {
    pointCount: end - start,
    series,
    actual: actual && wireNumbers(actual, points),
    rowOf: alignment.rowOf.map((rows) => points.map((point) => rows[start + point]!)),
    spans: scenarios.map(({ prediction }, index) =>
      spanOf(alignment.rowOf[index]!.subarray(start, end), aligned[index]!, {
        seriesRows: prediction.length,
        baseline: alignment.rowOf[baselineIndex]!.subarray(start, end),
      }),
    ),
  };
  if (timestamps === null) return { rows: Array.from(points, (point) => start + point + 1), ...rest };
  return {
    timestamps: Array.from(points, (point) => new Date(timestamps[start + point]!).toISOString()),
    ...rest,
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
