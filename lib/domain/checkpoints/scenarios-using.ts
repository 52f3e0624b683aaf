import { and, asc, count, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { projects } from "#db/schema/projects";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { isVisibleTo } from "#lib/domain/projects/project-role";
import type { Actor } from "#lib/platform/context/context";

/** Matches scenarios with a run that references the checkpoint, as its own or as an upstream checkpoint. Both subqueries use an index. */
function usesCheckpoint(db: Queryable, checkpointId: string): SQL | undefined {
  const asMain = db
    .select({ id: scenarioRuns.scenarioId })
    .from(scenarioRuns)
    .where(eq(scenarioRuns.checkpointId, checkpointId));
  const asUpstream = db
    .select({ id: scenarioRuns.scenarioId })
    .from(scenarioCheckpoints)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarioCheckpoints.runId))
    .where(eq(scenarioCheckpoints.checkpointId, checkpointId));
  return inArray(scenarios.id, union(asMain, asUpstream));
}

export function countScenariosUsing(db: Queryable, checkpointId: string): Promise<number> {
  return db.$count(scenarios, and(usesCheckpoint(db, checkpointId), isNull(scenarios.deletedAt)));
}

/** Returns the number of scenarios that use each of the checkpoints. Unused checkpoints are absent. */
export async function countScenariosUsingEach(
  db: Queryable,
  checkpointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (checkpointIds.length === 0) return new Map();
  const ids = [...checkpointIds];
  const asMain = db
    .select({ checkpointId: scenarioRuns.checkpointId, scenarioId: scenarios.id })
    .from(scenarioRuns)
    .innerJoin(scenarios, eq(scenarios.id, scenarioRuns.scenarioId))
    .where(and(inArray(scenarioRuns.checkpointId, ids), isNull(scenarios.deletedAt)));
  const asUpstream = db
    .select({ checkpointId: scenarioCheckpoints.checkpointId, scenarioId: scenarios.id })
    .from(scenarioCheckpoints)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarioCheckpoints.runId))
    .innerJoin(scenarios, eq(scenarios.id, scenarioRuns.scenarioId))
    .where(and(inArray(scenarioCheckpoints.checkpointId, ids), isNull(scenarios.deletedAt)));
  const uses = union(asMain, asUpstream).as("uses");
  const rows = await db
    .select({ checkpointId: uses.checkpointId, count: count() })
    .from(uses)
    .groupBy(uses.checkpointId);
  return new Map(rows.map((row) => [row.checkpointId!, row.count]));
}

/** A scenario, and whether the caller sees its project. */
export type ScenarioReference = { id: string; projectId: string; title: string; isVisible: boolean };

/** Returns the scenarios that use a checkpoint, oldest first, including those of downstream projects. */
export async function scenariosUsing(
  db: Queryable,
  checkpointId: string,
  actor: Actor,
): Promise<ScenarioReference[]> {
  return db
    .select({
      id: scenarios.id,
      projectId: scenarios.projectId,
      title: scenarios.title,
      isVisible: sql<boolean>`${isVisibleTo(db, actor) ?? sql`true`}`,
    })
    .from(scenarios)
    .innerJoin(projects, eq(projects.id, scenarios.projectId))
    .where(and(usesCheckpoint(db, checkpointId), isNull(scenarios.deletedAt)))
    .orderBy(asc(scenarios.createdAt), asc(scenarios.id));
}
