import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import type { ListedSeries } from "#lib/contract/series";
import { seriesId } from "./series-id.ts";

type SeriesMetrics = NonNullable<ListedSeries["metrics"]>;

/** Returns the metrics of the series that the project's current model lists, by series ID: its worst and largest ones. */
export async function currentSeriesMetrics(
  db: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, SeriesMetrics>> {
  const [row] = await db
    .select({ details: models.details })
    .from(projects)
    .innerJoin(models, eq(models.id, projects.currentModelId))
    .where(eq(projects.id, projectId));
  const { worst = [], largest = [] } = row?.details.panel ?? {};
  return new Map(
    [...worst, ...largest].map(({ values, mase, wape, bias }) => [
      seriesId(projectId, Object.keys(values), Object.values(values)),
      { mase, wape, bias },
    ]),
  );
}
