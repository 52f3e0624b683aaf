import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { projects } from "#db/schema/projects";
import { type ReleasedCheckpoints, scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { JobCancelled } from "#lib/platform/jobs/job-errors";

type RunResult = Pick<
  typeof scenarioRuns.$inferInsert,
  | "inputKey"
  | "inputBytes"
  | "rowCount"
  | "firstTimestamp"
  | "lastTimestamp"
  | "knownUntil"
  | "summary"
  | "intervals"
  | "totals"
  | "warnings"
>;

/**
 * Stores the result of a run, and shows it as the scenario's result. The run that was shown before releases its checkpoints, and
 * the oldest runs are deleted.
 *
 * A scenario has at most one run that has not completed, so the run requested last is also the one that completes last.
 *
 * @throws {JobCancelled} if the scenario was deleted
 */
export async function completeRun(
  tx: Transaction,
  { scenarioId, runId }: { scenarioId: string; runId: string },
  result: RunResult,
): Promise<void> {
  const [scenario] = await tx
    .select({ shownRunId: scenarios.shownRunId, runsKept: projects.runsKept })
    .from(scenarios)
    .innerJoin(projects, eq(projects.id, scenarios.projectId))
    .where(and(eq(scenarios.id, scenarioId), isNull(scenarios.deletedAt)))
    .for("no key update", { of: scenarios });
  if (scenario === undefined) throw new JobCancelled();
  await tx
    .update(scenarioRuns)
    // Milliseconds, as on the wire. Otherwise `asOf` with this time would not find the run.
    .set({ ...result, completedAt: sql`date_trunc('milliseconds', clock_timestamp())` })
    .where(eq(scenarioRuns.id, runId));
  if (scenario.shownRunId === runId) return;
  await tx.update(scenarios).set({ shownRunId: runId }).where(eq(scenarios.id, scenarioId));
  await releaseCheckpoints(tx, scenario.shownRunId);
  await deleteOldRuns(tx, scenarioId, scenario.runsKept);
}

/** Ends the references of a run to its checkpoints, and keeps their facts. */
async function releaseCheckpoints(tx: Transaction, runId: string): Promise<void> {
  const { id: checkpointId, label, modelName, target, targetMetric, primaryMetricValue } = checkpoints;
  const [main] = await tx
    .select({ checkpointId, label, modelName, target, targetMetric, primaryMetricValue })
    .from(scenarioRuns)
    .innerJoin(checkpoints, eq(checkpointId, scenarioRuns.checkpointId))
    .where(eq(scenarioRuns.id, runId));
  const upstreams = await tx
    .select({ projectId: scenarioCheckpoints.upstreamProjectId, checkpointId, label })
    .from(scenarioCheckpoints)
    .innerJoin(checkpoints, eq(checkpointId, scenarioCheckpoints.checkpointId))
    .where(eq(scenarioCheckpoints.runId, runId))
    .orderBy(scenarioCheckpoints.upstreamProjectId);
  const released: ReleasedCheckpoints = { ...main!, upstreams };
  await tx.update(scenarioRuns).set({ released, checkpointId: null }).where(eq(scenarioRuns.id, runId));
  await tx.delete(scenarioCheckpoints).where(eq(scenarioCheckpoints.runId, runId));
}

async function deleteOldRuns(tx: Transaction, scenarioId: string, runsKept: number): Promise<void> {
  const old = tx
    .select({ id: scenarioRuns.id })
    .from(scenarioRuns)
    .where(and(eq(scenarioRuns.scenarioId, scenarioId), isNotNull(scenarioRuns.completedAt)))
    .orderBy(desc(scenarioRuns.completedAt))
    .offset(runsKept);
  await tx.delete(scenarioRuns).where(inArray(scenarioRuns.id, old));
}
