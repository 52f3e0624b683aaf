import { and, eq } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { datasets } from "#db/schema/datasets";
import type { DatasetVersion } from "#lib/contract/dataset-versions";
import type { Context } from "#lib/platform/context/context";

/** Lists the versions of a project's dataset, newest first. The first one is current. */
export async function listVersions(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<DatasetVersion>> {
  // By number, because clocks may step back.
  const paging = new Paging([datasets.version, datasets.id], request, { type: "float8" });
  const { id, createdAt, createdBy, change, rowCount, fileName } = datasets;
  const rows = await db
    .select({
      version: { id, createdAt, createdBy, change, rowCount, fileName },
      position: paging.position,
    })
    .from(datasets)
    .where(and(eq(datasets.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ version }) => presentVersion(version));
}

type VersionColumns = Pick<
  typeof datasets.$inferSelect,
  "id" | "createdAt" | "createdBy" | "change" | "rowCount" | "fileName"
>;

export function presentVersion({
  id,
  createdAt,
  createdBy,
  change,
  rowCount,
  fileName,
}: VersionColumns): DatasetVersion {
  return { id, createdAt: createdAt.toISOString(), createdBy, change, rowCount, fileName };
}
