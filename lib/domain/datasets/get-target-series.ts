import type { TargetSeries } from "#lib/contract/target-series";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { requireDataset } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";

/** Series of recently shown datasets. A version of a dataset never changes. */
const cache = new LruCache<TargetSeries>(20);

/**
 * Returns the target of the project's dataset over time, or over the rows without a timestamp. Of many series, it is the
 * sum of all series at each time.
 *
 * @throws {DomainError} dataset_not_found
 */
export async function getTargetSeries(
  ctx: Context,
  { projectId, maxPoints = CHART_POINTS }: { projectId: string; maxPoints?: number | undefined },
): Promise<TargetSeries> {
  const dataset = await requireDataset(ctx.db, projectId);
  const { id, parts, target, rowCount, timestampColumns, profile } = dataset;
  const isPanel = dataset.seriesColumns !== null;
  const picking = { parts, target, timestamp: timestampColumns?.[0] ?? null, isPanel, maxPoints };
  // The whole table is decoded, so its size decides whether a thread does this.
  const bytes = 8 * rowCount * profile.columns.length;
  return cache.get(`${id} ${maxPoints}`, () => runDatasetTask("pickTarget", picking, { bytes }));
}
