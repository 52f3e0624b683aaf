import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, compareQuery } from "./compare-query.ts";

/** Returns the span that all scenarios cover; null if it is the shown one, or without such a span. */
export function narrowerSpan({
  commonSpan,
  buckets,
  timestamps,
  rows = [],
}: Pick<Comparison, "commonSpan" | "buckets" | "timestamps" | "rows">): { from: string; to: string } | null {
  if (!commonSpan) return null;
  const [first, last] = buckets
    ? [buckets.from, buckets.to]
    : [timestamps?.[0] ?? String(rows[0]), timestamps?.at(-1) ?? String(rows.at(-1))];
  return commonSpan.from === first && commonSpan.to === last ? null : commonSpan;
}

/** Returns the query of the totals over the span that all scenarios cover. Totals are those of rows, not of buckets. */
export const totalsQuery = (state: CompareState, span: { from: string; to: string }) =>
  compareQuery({ ...state, ...span, bucket: "rows" }, { maxPoints: 2 });

/**
 * Returns the comparison over the span that all scenarios cover, because sums over different spans cannot be compared.
 * Without such a span, the totals are those of the shown one. Undefined while it loads.
 */
export function useTotals(projectId: string, state: CompareState, shown: Comparison | undefined) {
  const span = shown ? narrowerSpan(shown) : null;
  const query = span ? totalsQuery(state, span) : "";
  const totals = useQuery({ ...queries.comparePage(projectId, query), enabled: span !== null });
  return { totals: span === null ? shown : totals.data, span, error: span === null ? null : totals.error };
}
