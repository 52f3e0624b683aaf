import { instantOf } from "#lib/contract/instant";
import { limits } from "#lib/contract/limits";
import type { TargetSeries, TargetSeriesQuery } from "#lib/contract/target-series";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { issueError, requireNoIssues } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { type DatasetRow, requireDataset } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";

/** Series of recently shown datasets. A version of a dataset never changes. */
const cache = new LruCache<TargetSeries>(20);

/**
 * Returns the target of the project's dataset over time, or over the rows without a timestamp. Of many series, it is the
 * sum of all series at each time, and the values of those that are asked for.
 *
 * @throws {DomainError} dataset_not_found; series_not_found; validation_failed for a span or buckets of a dataset without a
 *   timestamp, and for series of a dataset of one, or too many of them
 */
export async function getTargetSeries(
  ctx: Context,
  { projectId, maxPoints = CHART_POINTS, ...asked }: { projectId: string } & TargetSeriesQuery,
): Promise<TargetSeries> {
  const dataset = await requireDataset(ctx.db, projectId);
  const { id, parts, target, rowCount, timestampColumns, profile } = dataset;
  requireTimes(dataset, asked);
  const { from, to, bucket: unit, aggregate } = asked;
  const ids = [...new Set(asked.series?.map((one) => one.toLowerCase()))];
  requireSeries(dataset, ids);
  const picking = {
    parts,
    target,
    timestamp: timestampColumns?.[0] ?? null,
    maxPoints,
    panel: dataset.seriesColumns && { projectId, columns: dataset.seriesColumns, ids },
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
  const key = JSON.stringify([id, maxPoints, from, to, unit, aggregate, ids]);
  return cache.get(key, async () => {
    const found = await runDatasetTask("pickTarget", picking, { bytes });
    const known = new Set(found.series?.map((one) => one.id));
    const absent = ids.filter((one) => !known.has(one));
    if (absent.length === 0) return found;
    throw standardError("series_not_found", ...absent.map((one) => ({ field: "series", id: one })));
  });
}

function requireSeries({ seriesColumns }: DatasetRow, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const issue = (code: string, message: string) =>
    issueError("validation_failed", { field: "series", code, message });
  if (seriesColumns === null)
    throw issue(
      "one_series",
      "`series` chooses among many series, but the dataset has only one. Leave out `series`.",
    );
  if (ids.length > limits.targetSeries)
    throw issue(
      "too_many_series",
      `\`series\` names ${ids.length} series; at most ${limits.targetSeries} are allowed. Ask for the others in another request.`,
    );
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
