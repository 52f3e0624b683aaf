import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import type { ChartAxis } from "#components/chart/axis.ts";
import { pastSpan } from "#components/chart/prepare-past.ts";
import type { TargetSeries } from "#lib/contract/target-series";

/**
 * Reads the known values of the target before a chart of predictions, by its rows or buckets. Undefined until they are loaded, and if none
 * is known.
 *
 * @param whole axis of all points of the chart
 * @param isShown whether the values are to be shown
 */
export function usePast(
  projectId: string,
  whole: ChartAxis | undefined,
  isShown: boolean,
): TargetSeries | undefined {
  const dataset = useQuery(queries.dataset(projectId)).data;
  const span = whole ? pastSpan(whole) : null;
  const isKnown =
    span !== null &&
    dataset?.firstTimestamp != null &&
    Date.parse(dataset.firstTimestamp) < Date.parse(span.to);
  const buckets = whole?.buckets;
  const query = queryOf({ ...span, bucket: buckets?.unit, aggregate: buckets?.aggregate });
  const enabled = isShown && isKnown;
  const past = useQuery({ ...queries.targetSpan(projectId, query), enabled });
  return enabled ? past.data : undefined;
}
