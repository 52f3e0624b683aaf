import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import type { Context } from "#lib/context/context";
import { type DependencyNode, dependencyClosure } from "#lib/domain/projects/dependency-graph";
import { DomainError } from "#lib/platform/errors/domain-error";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { ScenarioJob } from "./job-payload.ts";
import { pinCheckpoints } from "./run/pin-checkpoints.ts";

/**
 * Prepares another job for a scenario whose last one Failed or was Cancelled. Checkpoints that were reserved for it and
 * never published are reserved anew, of the models that are current now.
 *
 * @throws {DomainError} job_not_retryable where the scenario is gone, another job is its latest, or the project
 *   depends on other projects since; and what `pinCheckpoints` throws
 */
export async function retryScenario(
  tx: Transaction,
  ctx: Context,
  job: JobRow,
  newJobId: string,
): Promise<{ payload: ScenarioJob; checkpointId: string }> {
  const { projectId } = job;
  const payload = ScenarioJob.parse(job.payload);
  const { scenarioId, checkpointLabel } = payload;
  const [scenario] = await tx
    .select({
      checkpointId: scenarios.checkpointId,
      jobId: scenarios.jobId,
      deletedAt: scenarios.deletedAt,
    })
    .from(scenarios)
    .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId)))
    .for("no key update");
  if (scenario === undefined || scenario.deletedAt !== null) {
    throw refusal("The scenario of this job has been deleted: create a new one.", scenarioId);
  }
  if (scenario.jobId !== job.id) {
    throw refusal("This job has been repeated already: a later one makes the scenario.", scenario.jobId);
  }
  const rows = await tx
    .select({
      projectId: scenarioCheckpoints.upstreamProjectId,
      checkpointId: scenarioCheckpoints.checkpointId,
    })
    .from(scenarioCheckpoints)
    .where(eq(scenarioCheckpoints.scenarioId, scenarioId));
  const closure = await dependencyClosure(tx, projectId);
  refuseOtherDependencies(projectId, closure, rows);
  const pinned = await pinCheckpoints(tx, ctx, {
    projectId,
    main: { checkpointId: scenario.checkpointId, label: checkpointLabel },
    pins: new Map(rows.map((row) => [row.projectId, row.checkpointId])),
    closure,
  });
  await tx
    .update(scenarios)
    .set({ jobId: newJobId, checkpointId: pinned.checkpointId })
    .where(eq(scenarios.id, scenarioId));
  for (const [upstreamProjectId, checkpointId] of pinned.dependents) {
    await tx
      .update(scenarioCheckpoints)
      .set({ checkpointId })
      .where(
        and(
          eq(scenarioCheckpoints.scenarioId, scenarioId),
          eq(scenarioCheckpoints.upstreamProjectId, upstreamProjectId),
        ),
      );
  }
  return { payload: { ...payload, reserved: pinned.reserved }, checkpointId: pinned.checkpointId };
}

/**
 * What the first job might do in a project that it was pinned to, a declared dependency allowed; nothing allows it any
 * more. And of one that is declared since, the scenario names no checkpoint.
 */
function refuseOtherDependencies(
  projectId: string,
  closure: readonly DependencyNode[],
  pinned: readonly { projectId: string }[],
): void {
  const present = closure.map((node) => node.projectId).filter((id) => id !== projectId);
  const used = pinned.map((pin) => pin.projectId);
  const lost = used.filter((id) => !present.includes(id)).map((id) => ({ id, code: "dependency_unknown" }));
  const added = present
    .filter((id) => !used.includes(id))
    .map((id) => ({ id, code: "dependency_checkpoint_required" }));
  const others = [...lost, ...added];
  if (others.length === 0) return;
  const message = "The project depends on other projects now than those that the scenario was to use.";
  throw new DomainError("job_not_retryable", `${message} Create a new scenario.`, {
    details: others.map((other) => ({ ...other, message })),
  });
}

function refusal(message: string, id: string): DomainError {
  return new DomainError("job_not_retryable", message, {
    details: [{ id, code: "job_not_retryable", message }],
  });
}
