import { align, alignedValues } from "./align.ts";
import { compareToBaseline } from "./compare.ts";
import { downsampleShared } from "./downsample.ts";
import { wireNumbers } from "./summary.ts";
import { rowsBetween } from "./window.ts";

/** One scenario's predictions. `timestamps` in epoch milliseconds. */
export type ScenarioSeries = {
  scenarioId: string;
  timestamps: Float64Array | null;
  prediction: Float64Array;
};

export type ComparedSeries = {
  scenarioId: string;
  values: (number | null)[];
  differences: (number | null)[];
  cumulative: (number | null)[];
  totalDifference: number | null;
  percentDifference: number | null;
};

export type CompareOptions = {
  maxPoints?: number;
  from?: number;
  to?: number;
  offset?: number;
  limit?: number;
};

/** The axis and the series of a comparison as they are sent. Rows count from 1. */
export type ComparedScenarios = ({ timestamps: string[] } | { rows: number[] }) & {
  pointCount: number;
  series: ComparedSeries[];
  /** What was at each point; null where none of it is known. */
  actual: (number | null)[] | null;
  /** Of each series the row at each point, counted from 0; -1 where it has none. Bounds are read of these alone. */
  rowOf: Int32Array[];
};

/** More points than an answer can hold. */
export class TooManyToSend extends RangeError {
  readonly points: number;

  constructor(points: number) {
    super(`${points} points are too many to send`);
    this.points = points;
  }
}

/** Of all series: each takes some 60 characters, and a text has 500 million at most. */
const SENT_MAX = 5_000_000;

/**
 * Aligns the scenarios, by time where all have times, and takes the differences from the baseline. The totals
 * are over every point between `from` and `to` (epoch milliseconds, or row numbers from 1 where aligned by
 * row), and so are the sums so far. Of those points `pointCount` says how many there are; `maxPoints` thins out only what
 * is sent, the same points for all scenarios, and `offset` (from 0) with `limit` sends one page of them instead.
 * The baseline must be one of the scenarios. `actualsAmong` tells what was at each of some times, which ascend
 * (epoch milliseconds): NaN where that is not known, null where none of it is.
 *
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
  if (baselineIndex === -1) throw new RangeError(`The baseline ${baselineId} is none of the scenarios`);
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
  };
  if (timestamps === null) return { rows: Array.from(points, (point) => start + point + 1), ...rest };
  return {
    timestamps: Array.from(points, (point) => new Date(timestamps[start + point]!).toISOString()),
    ...rest,
  };
}

function page(length: number, offset: number, limit: number): Int32Array {
  const first = Math.min(offset, length);
  return Int32Array.from({ length: Math.min(limit, length - first) }, (_, index) => first + index);
}
