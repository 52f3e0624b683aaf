import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import { limits } from "#lib/contract/limits";
import type { seriesMeasures } from "#lib/contract/series";
import { seriesId } from "#lib/domain/datasets/series-id";
import { readJson } from "#lib/engine/inference/model-files";
import { SERIES_METRICS_FILE, type SeriesMetricsFile } from "#lib/engine/inference/series-metrics-file";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

export type SeriesMetrics = Record<(typeof seriesMeasures)[number], number | null>;

/** Metrics of recently read models, which never change. The weight is the number of series. */
const cache = new LruCache<ReadonlyMap<string, SeriesMetrics>>(100, 10 * limits.series);

/** Returns the metrics of the series of the project's current model, by series ID. Older models list only some series. */
export async function currentSeriesMetrics(
  db: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, SeriesMetrics>> {
  const [row] = await db
    .select({ details: models.details, artifactKey: models.artifactKey, sha256: models.sha256 })
    .from(projects)
    .innerJoin(models, eq(models.id, projects.currentModelId))
    .where(eq(projects.id, projectId));
  if (row === undefined) return new Map();
  return cache.get(`${row.artifactKey} ${row.sha256}`, async (weigh) => {
    const bytes = await nullIfNotFound(store().readFile(row.artifactKey, SERIES_METRICS_FILE));
    const { worst = [], largest = [] } = row.details.panel ?? {};
    const listed = bytes
      ? measuredSeries(readJson<SeriesMetricsFile>(bytes))
      : [...worst, ...largest].map(({ values, actual, mase, wape, bias }) => ({
          columns: Object.keys(values),
          values: Object.values(values),
          metrics: { actual, mase, wape, bias },
        }));
    weigh(listed.length);
    return new Map(
      listed.map(({ columns, values, metrics }) => [seriesId(projectId, columns, values), metrics]),
    );
  });
}

const measuredSeries = ({ columns, values, actual, mase, wape, bias }: SeriesMetricsFile) =>
  values.map((own, at) => ({
    columns,
    values: own,
    metrics: { actual: actual[at]!, mase: mase[at]!, wape: wape[at]!, bias: bias[at]! },
  }));
