import { instantOf } from "#lib/contract/instant";
import type { TargetSeries, TargetSeriesQuery } from "#lib/contract/target-series";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { requireNoIssues } from "#lib/platform/errors/domain-error";
import { type DatasetRow, requireDataset } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";

/** Series of recently shown datasets. A version of a dataset never changes. */
const cache = new LruCache<TargetSeries>(20);

/**
 * Returns the target of the project's dataset over time, or over the rows without a timestamp. Of many series, it is the
 * sum of all series at each time.
 *
 * @throws {DomainError} dataset_not_found; validation_failed for a span or buckets of a dataset without a timestamp
 */
export async function getTargetSeries(
  ctx: Context,
  { projectId, maxPoints = CHART_POINTS, ...asked }: { projectId: string } & TargetSeriesQuery,
): Promise<TargetSeries> {
  const dataset = await requireDataset(ctx.db, projectId);
  const { id, parts, target, rowCount, timestampColumns, profile } = dataset;
  requireTimes(dataset, asked);
  const { from, to, bucket: unit, aggregate } = asked;
  const picking = {
    parts,
    target,
    timestamp: timestampColumns?.[0] ?? null,
    maxPoints,
    isPanel: dataset.seriesColumns !== null,
    from: from === undefined ? undefined : instantOf(from),
    to: to === undefined ? undefined : instantOf(to),
    bucket: unit && {
      unit,
      aggregate: aggregate ?? dataset.resample?.statistic ?? "mean",
      timezone: dataset.timezone ?? "UTC",
    },
  };
  // The whole table is decoded, so its size decides whether a thread does this.
  const bytes = 8 * rowCount * profile.columns.length;
  const key = [id, maxPoints, from, to, unit, aggregate].join(" ");
  return cache.get(key, () => runDatasetTask("pickTarget", picking, { bytes }));
}

function requireTimes({ timestampColumns }: DatasetRow, asked: Omit<TargetSeriesQuery, "maxPoints">): void {
  if (timestampColumns !== null) return;
  const given = (["from", "to", "bucket"] as const).filter((field) => asked[field] !== undefined);
  const message = "The dataset has no timestamp, so it has no span and no buckets.";
  requireNoIssues(
    "validation_failed",
    given.map((field) => ({ field, value: asked[field], code: "no_timestamps", message })),
  );
}
