import { inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import type { CreateScenario } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { markUploadUsed } from "#lib/domain/datasets/mark-upload-used";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { lockProjectRows } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { type ReleaseClaim, writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { checkScenarioInput } from "./check-request.ts";
import { findScenario } from "./find-scenario.ts";
import { generationRejection } from "./run/generation-rejection.ts";
import { pinCheckpoints } from "./run/pin-checkpoints.ts";
import { settleEnd } from "./run/plan-generation.ts";
import { type ChosenModels, resolveModels } from "./run/resolve-models.ts";
import { sentInputKey } from "./run/scenario-input.ts";
import { upstreamOnlyKey } from "./run/upstream-only-columns.ts";
import { defaultColor, type InputSource, inputSource, type PinnedCheckpoints } from "./scenario-request.ts";

type AcceptedScenario = { jobId: string; status: "Pending"; scenarioId: string; checkpointId: string };

type Request = CreateScenario & { projectId: string };

/** Maximum number of checks per request. If a model or a dependency changes during a check, the check runs again. */
const ATTEMPTS_MAX = 20;

/**
 * Creates a scenario, and reserves its new checkpoints. A job computes the predictions. Rejections that need neither a
 * prediction nor the rows of an upload happen here, and leave nothing behind.
 *
 * @throws {DomainError} the errors of `resolveModels`, `checkScenarioInput` and `pinCheckpoints`; quota_exceeded
 */
export async function createScenario(ctx: Context, request: Request): Promise<AcceptedScenario> {
  const source = inputSource(request);
  await jobSender();
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptScenario(ctx, request, source);
    } catch (error) {
      if (!(error instanceof Outdated) || attempt === ATTEMPTS_MAX) throw generationRejection(error);
    }
  }
}

async function attemptScenario(
  ctx: Context,
  request: Request,
  requested: InputSource,
): Promise<AcceptedScenario> {
  const { projectId } = request;
  const chosen = await resolveModels(ctx.db, request);
  const artifactKeys = new Map(
    [...chosen.upstreams, chosen.main].map((one) => [one.projectId, one.artifactKey]),
  );
  const series = new LinkedSeries(ctx.db, artifactKeys);
  const project = await series.project(projectId);
  const source = settleEnd(requested, project.facts);
  const scenarioId = newId();
  const storeAs = sentInputKey(projectId, scenarioId);
  return writeArtifacts(ctx.db, [storeAs, upstreamOnlyKey(storeAs)], async (releaseClaim) => {
    // Stores the input before the commit, because a worker may start the job immediately after it.
    const warnings = await checkScenarioInput(ctx.db, series, project, source, {
      adjustments: request.adjustments ?? [],
      pinnedCheckpoints: pinnedCheckpointsOf(chosen),
      storeAs,
      signal: ctx.signal,
    });
    const inputBytes = await storedBytes([storeAs, upstreamOnlyKey(storeAs)]);
    return ctx.db.transaction((tx) =>
      insertScenario(tx, ctx, { request, source, chosen, warnings, scenarioId, inputBytes, releaseClaim }),
    );
  });
}

function pinnedCheckpointsOf({ upstreams }: ChosenModels): PinnedCheckpoints {
  return new Map(upstreams.map(({ projectId, checkpointId }) => [projectId, checkpointId]));
}

type Checked = {
  request: Request;
  source: InputSource;
  chosen: ChosenModels;
  warnings: Warning[];
  scenarioId: string;
  inputBytes: number;
  releaseClaim: ReleaseClaim;
};

async function insertScenario(
  tx: Transaction,
  ctx: Context,
  { request, source, chosen, warnings, scenarioId, inputBytes, releaseClaim }: Checked,
): Promise<AcceptedScenario> {
  const { projectId } = request;
  await requireSameDependencies(tx, projectId, chosen);
  const pinned = await pinCheckpoints(tx, ctx, {
    projectId,
    main: { checkpointId: chosen.main.checkpointId, label: request.checkpointLabel ?? null },
    pinnedCheckpoints: pinnedCheckpointsOf(chosen),
    graph: chosen.graph,
  });
  await requireSameModels(tx, pinned.reserved, chosen);
  // The project is locked, so an existing base scenario cannot be deleted before the commit.
  if (source.kind === "Clone") await findScenario(tx, { projectId, scenarioId: source.baseScenarioId });
  const { checkpointId } = pinned;
  const uploadId = source.kind === "Upload" ? source.uploadId : null;
  const jobId = newId();
  await releaseClaim(tx);
  await tx.insert(scenarios).values({
    id: scenarioId,
    projectId,
    title: request.title,
    description: request.description ?? null,
    notes: request.notes ?? null,
    tags: request.tags ?? [],
    color: request.color ?? defaultColor,
    checkpointId,
    jobId,
    source: source.kind,
    fileName: source.kind === "Upload" ? (request.fileName ?? null) : null,
    endDate: source.kind === "Generated" && source.endDate !== null ? new Date(source.endDate) : null,
    baseScenarioId: source.kind === "Clone" ? source.baseScenarioId : null,
    adjustments: request.adjustments ?? [],
    inputBytes,
    warnings,
    createdBy: ctx.actor.userId,
  });
  const pinnedCheckpoints = [...pinned.upstreams].map(([upstreamProjectId, id]) => ({
    scenarioId,
    upstreamProjectId,
    checkpointId: id,
  }));
  if (pinnedCheckpoints.length > 0) await tx.insert(scenarioCheckpoints).values(pinnedCheckpoints);
  if (uploadId != null) await markUploadUsed(tx, { projectId, uploadId });
  await requireSpace(tx, projectId, 1);
  const payload = {
    scenarioId,
    reserved: pinned.reserved,
    checkpointLabel: request.checkpointLabel ?? null,
    uploadId: uploadId?.toLowerCase() ?? null,
  };
  const { status } = await enqueueJob(tx, ctx, {
    id: jobId,
    type: "CreateScenario",
    projectId,
    scenarioId,
    checkpointId,
    payload,
  });
  await recordChange(tx, ctx, "scenario.created", { projectId, entityId: scenarioId, label: request.title });
  return storeIdempotentResponse(tx, ctx, { jobId, status, scenarioId, checkpointId });
}

/** Another model became current since the input was checked, or the project's dependencies changed. */
class Outdated extends Error {}

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
