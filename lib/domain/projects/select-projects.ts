import { and, asc, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { datasets } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { models } from "#db/schema/models";
import { projectDependencies, projects } from "#db/schema/projects";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import type { Actor } from "#lib/platform/context/context";
import { isVisibleTo, roleFor } from "./project-role.ts";

const model = {
  id: models.id,
  modelName: models.modelName,
  targetMetric: models.targetMetric,
  primaryMetricValue: models.primaryMetricValue,
  trainedAt: models.trainedAt,
  target: models.target,
};

/** Target of the current dataset. */
const datasetTarget = sql<string | null>`(
  select ${datasets.target} from ${datasets} where ${datasets.projectId} = ${projects.id}
  order by ${datasets.version} desc limit 1)`;

export type ProjectRow = Awaited<ReturnType<typeof selectProjects>>[number];
export type DependencyRow = Awaited<ReturnType<typeof selectDependencies>>[number];

export const projectPaging = (request: PageRequest) => new Paging([projects.createdAt, projects.id], request);

/** Returns the fields of a project that lists omit: settings, and facts of its current dataset. */
export async function selectDetails(db: Queryable, projectId: string) {
  const [row] = await db
    .select({
      display: projects.display,
      runsKept: projects.runsKept,
      numberFormats: datasets.numberFormats,
      timezone: datasets.timezone,
      frequency: datasets.frequency,
    })
    .from(projects)
    .leftJoin(datasets, eq(datasets.projectId, projects.id))
    .where(eq(projects.id, projectId))
    .orderBy(desc(datasets.version))
    .limit(1);
  return row;
}

/**
 * Returns existing projects, newest first: one project, or a page of those that the caller sees, with the role of a user.
 */
export async function selectProjects(
  db: Queryable,
  { projectId, actor, paging }: { projectId?: string | undefined; actor?: Actor; paging: Paging },
) {
  return db
    .select({
      position: paging.position,
      id: projects.id,
      name: projects.name,
      description: projects.description,
      access: projects.access,
      role: actor?.kind === "session" ? roleFor(actor) : sql<null>`null`,
      createdAt: projects.createdAt,
      createdBy: projects.createdBy,
      datasetTarget,
      model,
      defaultCheckpointId: checkpoints.id,
      defaultCheckpointLabel: checkpoints.label,
    })
    .from(projects)
    .leftJoin(models, eq(models.id, projects.currentModelId))
    .leftJoin(checkpoints, and(eq(checkpoints.projectId, projects.id), checkpoints.isDefault))
    .where(
      and(
        isNull(projects.deletedAt),
        projectId === undefined ? undefined : eq(projects.id, projectId),
        actor && isVisibleTo(db, actor),
        paging.where,
      ),
    )
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
}

export async function selectDependencies(db: Queryable, projectIds: readonly string[]) {
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

/** Returns each project's newest scenario. */
export async function selectLastScenarios(db: Queryable, projectIds: readonly string[]) {
  if (projectIds.length === 0) return [];
  // Lateral, so that each project takes one entry of the index. A join by ID may scan all scenarios.
  const last = db
    .select()
    .from(scenarios)
    .where(and(eq(scenarios.projectId, projects.id), isNull(scenarios.deletedAt)))
    .orderBy(desc(scenarios.createdAt), desc(scenarios.id))
    .limit(1)
    .as("last");
  return db
    .select({
      projectId: projects.id,
      id: last.id,
      title: last.title,
      color: last.color,
      status: jobs.status,
      createdAt: last.createdAt,
    })
    .from(projects)
    .innerJoinLateral(last, sql`true`)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, last.shownRunId))
    .innerJoin(jobs, eq(jobs.id, scenarioRuns.jobId))
    .where(inArray(projects.id, [...projectIds]));
}

/** Returns the number of open jobs per project. Projects without open jobs are absent. */
export async function countOpenJobs(
  db: Queryable,
  projectIds: readonly string[],
): Promise<{ projectId: string; open: number }[]> {
  if (projectIds.length === 0) return [];
  return (
    db
      .select({ projectId: jobs.projectId, open: count() })
      .from(jobs)
      // Written as in the index of open jobs, so the query does not scan ended jobs.
      .where(and(inArray(jobs.projectId, [...projectIds]), sql`${jobs.status} in ('Pending', 'Running')`))
      .groupBy(jobs.projectId)
  );
}
