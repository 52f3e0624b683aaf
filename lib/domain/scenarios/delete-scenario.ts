import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import type { Context } from "#lib/context/context";
import { requireMatch } from "#lib/context/require-match";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { isTerminal } from "#lib/jobs/states";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { abandonScenario } from "./abandon-scenario.ts";
import { lockScenario } from "./lock-scenario.ts";
import { presentScenario } from "./present.ts";

/**
 * Deletes a scenario: from now on it does not exist for callers and holds no checkpoint; a job removes what it stored.
 * A job that is still making it is cancelled.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function deleteScenario(
  ctx: Context,
  ids: { projectId: string; scenarioId: string },
): Promise<{ message: string; scenarioId: string; jobId: string }> {
  const { projectId } = ids;
  await jobSender();
  return ctx.db.transaction(async (tx) => {
    const found = await lockScenario(tx, ids);
    await requireMatch(ctx, async () => presentScenario(found));
    const { id: scenarioId, title } = found.scenario;
    if (!isTerminal(found.status)) await cancelMaking(tx, ctx, found.scenario.jobId);
    await markDeleted(tx, { projectId, scenarioId });
    const job = await enqueueJob(tx, ctx, {
      type: "DeleteScenario",
      projectId,
      scenarioId,
      payload: { scenarioId },
    });
    await recordAudit(tx, ctx, {
      projectId,
      action: "scenario.deleted",
      entityType: "scenario",
      entityId: scenarioId,
      label: title,
    });
    const message = `The deletion of ${JSON.stringify(title)} was initiated; what it stored is removed in the background.`;
    return { message, scenarioId, jobId: job.id };
  });
}

async function cancelMaking(tx: Transaction, ctx: Context, jobId: string): Promise<void> {
  // A transaction answers the same queries; its own `transaction` is a savepoint.
  const inside = { ...ctx, db: tx as unknown as Database };
  await cancelJob(inside, { jobId }, async () => abandonScenario);
}

async function markDeleted(
  tx: Transaction,
  { projectId, scenarioId }: { projectId: string; scenarioId: string },
): Promise<void> {
  await tx
    .update(scenarios)
    .set({ deletedAt: sql`clock_timestamp()`, checkpointId: null })
    .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId)));
  await tx.delete(scenarioCheckpoints).where(eq(scenarioCheckpoints.scenarioId, scenarioId));
}
