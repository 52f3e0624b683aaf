import { and, asc, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { datasets } from "#db/schema/datasets";
import { models } from "#db/schema/models";
import { projectDependencies, projects } from "#db/schema/projects";

type Db = Database | Transaction;

const model = {
  id: models.id,
  modelName: models.modelName,
  targetMetric: models.targetMetric,
  primaryMetricValue: models.primaryMetricValue,
  trainedAt: models.trainedAt,
  target: models.target,
};

/** Of the dataset in use. */
const datasetTarget = sql<string | null>`(
  select ${datasets.target} from ${datasets} where ${datasets.projectId} = ${projects.id}
  order by ${datasets.version} desc limit 1)`;

export type ProjectRow = Awaited<ReturnType<typeof selectProjects>>[number];
export type DependencyRow = Awaited<ReturnType<typeof selectDependencies>>[number];

/** Existing projects, the newest first: one, or a page of all of them before the id `before`. */
export async function selectProjects(
  db: Db,
  {
    projectId,
    before,
    limit,
  }: { projectId?: string | undefined; before?: string | undefined; limit: number },
) {
  return db
    .select({
      id: projects.id,
      name: projects.name,
      description: projects.description,
      createdAt: projects.createdAt,
      createdBy: projects.createdBy,
      datasetTarget,
      model,
      defaultCheckpointId: checkpoints.id,
    })
    .from(projects)
    .leftJoin(models, eq(models.id, projects.currentModelId))
    .leftJoin(checkpoints, and(eq(checkpoints.projectId, projects.id), checkpoints.isDefault))
    .where(
      and(
        isNull(projects.deletedAt),
        projectId === undefined ? undefined : eq(projects.id, projectId),
        before === undefined ? undefined : lt(projects.id, before),
      ),
    )
    .orderBy(desc(projects.id))
    .limit(limit);
}

export async function selectDependencies(db: Db, projectIds: readonly string[]) {
  if (projectIds.length === 0) return [];
  return db
    .select({
      projectId: projectDependencies.projectId,
      upstreamProjectId: projectDependencies.upstreamProjectId,
      featureName: projectDependencies.featureName,
    })
    .from(projectDependencies)
    .where(inArray(projectDependencies.projectId, [...projectIds]))
    .orderBy(asc(projectDependencies.featureName));
}
