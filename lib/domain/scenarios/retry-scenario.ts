import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { type DependencyNode, dependencyGraph } from "#lib/domain/projects/dependency-graph";
import type { Context } from "#lib/platform/context/context";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { runOfJob, ScenarioJob } from "./job-payload.ts";
import { pinCheckpoints } from "./run/pin-checkpoints.ts";

/**
 * Prepares a retry of a run whose job Failed or was Cancelled. Checkpoints that were reserved and never published are
 * reserved again, from the models that are current now.
 *
 * @throws {DomainError} job_not_retryable if the scenario is deleted, has a later job, or if the project's dependencies have
 *   changed; and the errors of `pinCheckpoints`
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
  const runId = runOfJob(payload);
  const [scenario] = await tx
    .select({ deletedAt: scenarios.deletedAt })
    .from(scenarios)
    .where(and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId)))
    .for("no key update");
  if (scenario === undefined || scenario.deletedAt !== null) {
    throw notRetryableError("The scenario of this job was deleted. Create a new scenario.", scenarioId);
  }
  const [run] = await tx
    .select({ checkpointId: scenarioRuns.checkpointId, jobId: scenarioRuns.jobId })
    .from(scenarioRuns)
    .where(and(eq(scenarioRuns.scenarioId, scenarioId), eq(scenarioRuns.id, runId)))
    .for("no key update");
  if (run === undefined) {
    throw notRetryableError("A later run of the scenario has replaced the run of this job.", runId);
  }
  if (run.jobId !== job.id) {
    throw notRetryableError("This job was already retried. A later job computes the scenario.", run.jobId);
  }
  const rows = await tx
    .select({
      projectId: scenarioCheckpoints.upstreamProjectId,
      checkpointId: scenarioCheckpoints.checkpointId,
    })
    .from(scenarioCheckpoints)
    .where(eq(scenarioCheckpoints.runId, runId));
  const graph = await dependencyGraph(tx, projectId);
  requireSameDependencies(projectId, graph, rows);
  const pinned = await pinCheckpoints(tx, ctx, {
    projectId,
    main: { checkpointId: run.checkpointId, label: checkpointLabel },
    pinnedCheckpoints: new Map(rows.map((row) => [row.projectId, row.checkpointId])),
    graph,
  });
  await tx
    .update(scenarioRuns)
    .set({ jobId: newJobId, checkpointId: pinned.checkpointId })
    .where(eq(scenarioRuns.id, runId));
  for (const [upstreamProjectId, checkpointId] of pinned.upstreams) {
    await tx
      .update(scenarioCheckpoints)
      .set({ checkpointId })
      .where(
        and(
          eq(scenarioCheckpoints.runId, runId),
          eq(scenarioCheckpoints.upstreamProjectId, upstreamProjectId),
        ),
      );
  }
  return { payload: { ...payload, reserved: pinned.reserved }, checkpointId: pinned.checkpointId };
}

/**
 * Rejects a retry if the dependencies have changed. A removed dependency no longer permits the job to use that project. For
 * an added dependency, the scenario has no checkpoint.
 */
function requireSameDependencies(
  projectId: string,
  graph: readonly DependencyNode[],
  pinned: readonly { projectId: string }[],
): void {
  const present = graph.map((node) => node.projectId).filter((id) => id !== projectId);
  const used = pinned.map((pin) => pin.projectId);
  const lost = used.filter((id) => !present.includes(id)).map((id) => ({ id, code: "dependency_unknown" }));
  const added = present
    .filter((id) => !used.includes(id))
    .map((id) => ({ id, code: "dependency_checkpoint_required" }));
  const changes = [...lost, ...added];
  if (changes.length === 0) return;
  const message = "The project's dependencies have changed since the scenario was created.";
  throw new DomainError("job_not_retryable", `${message} Create a new scenario.`, {
    details: changes.map((change) => ({ ...change, message })),
  });
}

function notRetryableError(message: string, id: string): DomainError {
  return issueError("job_not_retryable", { id, code: "job_not_retryable", message });
}
