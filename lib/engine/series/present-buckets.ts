import type { Buckets } from "#lib/contract/buckets";
import type { Bucketed, Bucketing } from "./compare-scenarios.ts";

/** Presents the aggregation of a response's points. */
export function presentBuckets(
  bucketed: Bucketed | null,
  bucketing: Bucketing | undefined,
): { buckets?: Buckets } {
  if (bucketed === null || bucketing === undefined) return {};
  const { unit, from, to, complete } = bucketed;
  const { aggregate, timezone } = bucketing;
  return { buckets: { unit, aggregate, timezone, from, to, complete } };
}
