import { and, asc, eq, exists, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";

/** Scenarios that use the checkpoint, as the main one or as a dependent one. */
function refers(db: Database | Transaction, checkpointId: string): SQL | undefined {
  const asDependent = db
    .select({ one: sql`1` })
    .from(scenarioCheckpoints)
    .where(
      and(
        eq(scenarioCheckpoints.scenarioId, scenarios.id),
        eq(scenarioCheckpoints.checkpointId, checkpointId),
      ),
    );
  return or(eq(scenarios.checkpointId, checkpointId), exists(asDependent));
}

export function countScenariosUsing(db: Database | Transaction, checkpointId: string): Promise<number> {
  return db.$count(scenarios, and(refers(db, checkpointId), isNull(scenarios.deletedAt)));
}

export type ScenarioUsing = { id: string; projectId: string; title: string };

/** Oldest first; also those of projects that depend on the checkpoint's. */
export async function scenariosUsing(
  db: Database | Transaction,
  checkpointId: string,
): Promise<ScenarioUsing[]> {
  return db
    .select({ id: scenarios.id, projectId: scenarios.projectId, title: scenarios.title })
    .from(scenarios)
    .where(and(refers(db, checkpointId), isNull(scenarios.deletedAt)))
    .orderBy(asc(scenarios.createdAt), asc(scenarios.id));
}
