import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { abandonScenario } from "./abandon-scenario.ts";
import type { ScenarioRef } from "./find-scenario.ts";
import { getScenario } from "./get-scenario.ts";
import { lockScenario } from "./lock-scenario.ts";

/**
 * Deletes a scenario: it no longer exists for callers and uses no checkpoint. A job removes its data. Cancels the job that
 * still computes a run.
 *
 * @throws {DomainError} project_not_found, scenario_not_found, precondition_failed
 */
export async function deleteScenario(
  ctx: Context,
  ids: ScenarioRef,
): Promise<{ message: string; scenarioId: string; jobId: string }> {
  const { projectId } = ids;
  await jobSender();
  return ctx.db.transaction(async (tx) => {
    const { openJobId, scenario } = await lockScenario(tx, ids);
    await requireIfMatch(ctx, () => getScenario({ db: tx }, ids));
    const { id: scenarioId, title } = scenario;
    if (openJobId !== null) await cancelComputation(tx, ctx, openJobId);
    await markDeleted(tx, { projectId, scenarioId });
    const job = await enqueueJob(tx, ctx, {
      type: "DeleteScenario",
      projectId,
      scenarioId,
      payload: { scenarioId },
    });
    await recordChange(tx, ctx, "scenario.deleted", { projectId, entityId: scenarioId, label: title });
    const message = `Deletion of scenario ${JSON.stringify(title)} was initiated. Its data is removed in the background.`;
    return { message, scenarioId, jobId: job.id };
  });
}

async function cancelComputation(tx: Transaction, ctx: Context, jobId: string): Promise<void> {
  // A transaction accepts the same queries as the database. Its own `transaction` is a savepoint. `If-Match` names the
  // scenario, not its job.
  const inside = { ...ctx, db: tx as unknown as Database, precondition: undefined };
  await cancelJob(inside, { jobId }, async () => abandonScenario);
}

async function markDeleted(tx: Transaction, { projectId, scenarioId }: ScenarioRef): Promise<void> {
  await tx
    .update(scenarios)
    .set({ deletedAt: sql`clock_timestamp()` })
    .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId)));
  const runs = tx
    .select({ id: scenarioRuns.id })
    .from(scenarioRuns)
    .where(eq(scenarioRuns.scenarioId, scenarioId));
  await tx.update(scenarioRuns).set({ checkpointId: null }).where(eq(scenarioRuns.scenarioId, scenarioId));
  await tx.delete(scenarioCheckpoints).where(inArray(scenarioCheckpoints.runId, runs));
}
