import { logSeries } from "#lib/engine/inference/log-series";
import { quantileOf } from "#lib/engine/statistics/quantile";
import { withColumn } from "#lib/engine/table/columns";
import type { CandidateContext } from "./candidate.ts";

/**
 * Maximum ratio of the 95th and the 5th percentile of the target. Logarithms of a wider one mostly describe its small values,
 * such as rentals at night.
 */
const RATIO_MAX = 100;

/** Returns the context with the logarithms of the target; null if a value has none, or if the target spans too much. */
export function logContext(context: Omit<CandidateContext, "ofLogs">): CandidateContext | null {
  const { data, known, target, classes } = context;
  if (classes !== null || data.targets.some((value) => value <= 0)) return null;
  const quantile = (at: number) => quantileOf(data.targets.slice(), data.targets.length, at);
  if (quantile(0.95) > RATIO_MAX * quantile(0.05)) return null;
  const targets = data.targets.map(Math.log);
  return {
    ...context,
    data: {
      ...data,
      targets,
      table: withColumn(data.table, { name: target, type: "number", values: targets }),
    },
    known: known && logSeries(known),
    isOfLogs: true,
    ofLogs: null,
  };
}
