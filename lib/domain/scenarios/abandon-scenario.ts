import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { dropReservations } from "#lib/domain/checkpoints/drop-reservations";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { ScenarioJob } from "./job-payload.ts";

/**
 * Cleans up after a scenario's job that Failed or was Cancelled: drops every checkpoint that the job reserved and did not
 * publish. A job publishes its checkpoints together, so all of them stay or none. The run stays, with the status of its job.
 */
export async function abandonScenario(tx: Transaction, job: JobRow): Promise<void> {
  const { scenarioId, reserved } = ScenarioJob.parse(job.payload);
  const [scenario] = await tx
    .select({ title: scenarios.title, deletedAt: scenarios.deletedAt })
    .from(scenarios)
    .where(and(eq(scenarios.projectId, job.projectId), eq(scenarios.id, scenarioId)))
    .for("no key update");
  if (reserved.length > 0) {
    await detachReserved(tx, reserved);
    await dropReservations(tx, { jobId: job.id, status: job.status, checkpointIds: reserved });
  }
  if (scenario === undefined || scenario.deletedAt !== null || job.status !== "Failed") return;
  await publishEvent(tx, {
    projectId: job.projectId,
    name: "scenario-failed",
    entityId: scenarioId,
    jobId: job.id,
    status: job.status,
    label: scenario.title,
  });
}

/** Removes the runs' references to checkpoints that are still reserved, so that they can be dropped. */
async function detachReserved(tx: Transaction, reserved: readonly string[]): Promise<void> {
  const rows = await tx
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .where(and(inArray(checkpoints.id, [...reserved]), eq(checkpoints.state, "reserved")));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.update(scenarioRuns).set({ checkpointId: null }).where(inArray(scenarioRuns.checkpointId, ids));
  await tx
    .update(scenarioCheckpoints)
    .set({ checkpointId: null })
    .where(inArray(scenarioCheckpoints.checkpointId, ids));
}
