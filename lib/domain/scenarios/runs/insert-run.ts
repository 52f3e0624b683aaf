import { inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, scenarioRuns } from "#db/schema/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { lockProjectRows } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import type { ScenarioJob } from "#lib/domain/scenarios/job-payload";
import { generationRejection } from "#lib/domain/scenarios/run/generation-rejection";
import { pinCheckpoints, type ScenarioCheckpoints } from "#lib/domain/scenarios/run/pin-checkpoints";
import type { ChosenModels } from "#lib/domain/scenarios/run/resolve-models";
import type { PinnedCheckpoints } from "#lib/domain/scenarios/scenario-request";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";

/** Maximum number of checks per request. If a model or a dependency changes during a check, the check runs again. */
const ATTEMPTS_MAX = 20;

/** Another model became current since the input was checked, or the project's dependencies or the shown run changed. */
export class Outdated extends Error {}

/** Checks a request and stores its run. Begins again while the check is outdated when its transaction begins. */
export async function untilCurrent<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated) || count === ATTEMPTS_MAX) throw generationRejection(error);
    }
  }
}

export function pinnedCheckpointsOf({ upstreams }: ChosenModels): PinnedCheckpoints {
  return new Map(upstreams.map(({ projectId, checkpointId }) => [projectId, checkpointId]));
}

/**
 * Locks the projects of a checked request, and pins its checkpoints.
 *
 * @param label label of a new main checkpoint
 * @throws {Outdated} and the errors of `pinCheckpoints`
 */
export async function pinChosen(
  tx: Transaction,
  ctx: Context,
  { projectId, chosen, label }: { projectId: string; chosen: ChosenModels; label: string | null },
): Promise<ScenarioCheckpoints> {
  await requireSameDependencies(tx, projectId, chosen);
  const pinned = await pinCheckpoints(tx, ctx, {
    projectId,
    main: { checkpointId: chosen.main.checkpointId, label },
    pinnedCheckpoints: pinnedCheckpointsOf(chosen),
    graph: chosen.graph,
  });
  await requireSameModels(tx, pinned.reserved, chosen);
  return pinned;
}

type NewRun = Omit<ScenarioJob, "runId" | "scenarioId" | "reserved"> & {
  projectId: string;
  scenarioId: string;
  runId: string;
  pinned: ScenarioCheckpoints;
  endDate: Date | null;
  steps?: number | null;
  inputBytes: number;
  warnings: Warning[];
};

/**
 * Stores a run of a scenario, and its job.
 *
 * @throws {DomainError} quota_exceeded
 */
export async function insertRun(
  tx: Transaction,
  ctx: Context,
  { projectId, scenarioId, runId, pinned, endDate, steps = null, inputBytes, warnings, ...job }: NewRun,
): Promise<{ jobId: string; status: "Pending" }> {
  const { checkpointId, reserved } = pinned;
  const jobId = newId();
  await tx.insert(scenarioRuns).values({
    id: runId,
    projectId,
    scenarioId,
    checkpointId,
    jobId,
    endDate,
    steps,
    inputBytes,
    warnings,
    createdBy: ctx.actor.userId,
  });
  const upstreams = [...pinned.upstreams].map(([upstreamProjectId, id]) => ({
    runId,
    upstreamProjectId,
    checkpointId: id,
  }));
  if (upstreams.length > 0) await tx.insert(scenarioCheckpoints).values(upstreams);
  await requireSpace(tx, projectId, 1);
  const { status } = await enqueueJob(tx, ctx, {
    id: jobId,
    type: "CreateScenario",
    projectId,
    scenarioId,
    checkpointId,
    payload: { scenarioId, runId, reserved, ...job },
  });
  return { jobId, status };
}

/** Locks the projects and verifies the dependencies. A change of dependencies locks the project's row, so it has to wait. */
async function requireSameDependencies(
  tx: Transaction,
  projectId: string,
  { graph }: ChosenModels,
): Promise<void> {
  await lockProjectRows(
    tx,
    graph.map((node) => node.projectId),
  );
  const present = await dependencyGraph(tx, projectId);
  if (JSON.stringify(present) !== JSON.stringify(graph)) throw new Outdated();
}

async function requireSameModels(
  tx: Transaction,
  reserved: readonly string[],
  chosen: ChosenModels,
): Promise<void> {
  if (reserved.length === 0) return;
  const rows = await tx
    .select({ projectId: checkpoints.projectId, modelId: checkpoints.modelId })
    .from(checkpoints)
    .where(inArray(checkpoints.id, [...reserved]));
  const models = new Map([...chosen.upstreams, chosen.main].map((one) => [one.projectId, one.modelId]));
  if (rows.some((row) => models.get(row.projectId) !== row.modelId)) throw new Outdated();
}
