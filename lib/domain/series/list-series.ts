import type { Page, Position } from "#db/page";
import { limits } from "#lib/contract/limits";
import { type ListedSeries, type SeriesListQuery, seriesMeasures } from "#lib/contract/series";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import { runDatasetTask } from "#lib/domain/datasets/dataset-tasks";
import type { SeriesSummary } from "#lib/domain/datasets/list-series-of-table";
import { seriesId } from "#lib/domain/datasets/series-id";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { currentSeriesMetrics, type SeriesMetrics } from "./series-metrics.ts";

type Listed = SeriesSummary & { id: string; text: string };

/** Series of recently listed versions, which never change. The weight is the number of series. */
const cache = new LruCache<Listed[]>(100, 10 * limits.series);

type Request = Omit<SeriesListQuery, "cursor"> & { projectId: string; after?: Position | undefined };

/** Lists the series of a project's dataset. A project without series has an empty list. */
export async function listSeries(
  ctx: Context,
  { projectId, search = "", sort = "name", order, limit = limits.listDefault, after }: Request,
): Promise<Page<ListedSeries>> {
  const dataset = await currentDataset(ctx.db, projectId);
  if (dataset === null || dataset.seriesColumns === null) return { items: [], next: null };
  const columns = dataset.seriesColumns;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await seriesOf(dataset)).filter(({ text }) => words.every((word) => text.includes(word)));
  const metrics = await currentSeriesMetrics(ctx.db, projectId);
  const sorted = inOrder(found, {
    sort,
    order: order ?? (sort === "name" || sort === "firstTimestamp" ? "asc" : "desc"),
    metrics,
  });
  const from = startAfter(sorted, after);
  const page = sorted.slice(from, from + limit);
  const last = page.at(-1);
  const isLast = from + page.length >= sorted.length || last === undefined;
  return {
    items: page.map(({ id, values, rowCount, first, last: end, gaps }) => ({
      id,
      values: Object.fromEntries(columns.map((name, at) => [name, values[at]!])),
      rowCount,
      firstTimestamp: new Date(first).toISOString(),
      lastTimestamp: new Date(end).toISOString(),
      gaps,
      metrics: metrics.get(id) ?? null,
    })),
    next: isLast ? null : { at: String(from + page.length), id: last.id },
  };
}

/** Returns the series of a version, in the order of their values. */
function seriesOf(dataset: DatasetRow): Promise<Listed[]> {
  const { id, projectId, parts, seriesColumns, timestampColumns, frequency, timezone } = dataset;
  const columns = seriesColumns!;
  const wanted = { parts, seriesColumns: columns, timestamp: timestampColumns![0]!, frequency, timezone };
  // The whole table is decoded, so its size decides whether a thread does this.
  const bytes = 8 * dataset.rowCount * dataset.profile.columns.length;
  return cache.get(id, async (weigh) => {
    const series = await runDatasetTask("series", wanted, { bytes });
    weigh(series.length);
    return series.map((one) => ({
      ...one,
      id: seriesId(projectId, columns, one.values),
      text: one.values.join("\n").normalize("NFC").toLowerCase(),
    }));
  });
}

type Order = {
  sort: NonNullable<SeriesListQuery["sort"]>;
  order: "asc" | "desc";
  metrics: ReadonlyMap<string, SeriesMetrics>;
};

function inOrder(series: readonly Listed[], { sort, order, metrics }: Order): readonly Listed[] {
  if (sort === "name") return order === "asc" ? series : series.toReversed();
  const measure = seriesMeasures.find((name) => name === sort);
  const sizeOf = (one: Listed) =>
    measure === undefined
      ? one[fields[sort as keyof typeof fields]]
      : (metrics.get(one.id)?.[measure] ?? null);
  const sign = order === "asc" ? 1 : -1;
  const known = series.map((one) => ({ one, value: sizeOf(one) }));
  // The sort is stable: equal ones stay in the order of their names.
  return known
    .sort((a, b) =>
      a.value === null || b.value === null
        ? Number(a.value === null) - Number(b.value === null)
        : sign * (a.value - b.value),
    )
    .map(({ one }) => one);
}

const fields = {
  firstTimestamp: "first",
  lastTimestamp: "last",
  rowCount: "rowCount",
  gaps: "gaps",
} as const;

/** Returns the place after a position: after its series, or at its place if a newer version has no such series. */
function startAfter(series: readonly Listed[], after: Position | undefined): number {
  if (after === undefined) return 0;
  const place = series.findIndex(({ id }) => id === after.id);
  return place < 0 ? Number(after.at) : place + 1;
}
