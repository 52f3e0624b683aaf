import type { Transaction } from "#db/client";
import { scenarios } from "#db/schema/scenarios";
import type { CreateScenario } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { markUploadUsed } from "#lib/domain/datasets/mark-upload-used";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { type ReleaseClaim, writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { checkScenarioInput } from "./check-request.ts";
import { findScenario } from "./find-scenario.ts";
import { settleEnd } from "./run/plan-generation.ts";
import { type ChosenModels, modelFolders, resolveModels } from "./run/resolve-models.ts";
import { sentInputKey } from "./run/scenario-input.ts";
import { upstreamOnlyKey } from "./run/upstream-only-columns.ts";
import { insertRun, pinChosen, pinnedCheckpointsOf, untilCurrent } from "./runs/insert-run.ts";
import { defaultColor, type InputSource, inputSource } from "./scenario-request.ts";

type AcceptedScenario = { jobId: string; status: "Pending"; scenarioId: string; checkpointId: string };

type Request = CreateScenario & { projectId: string };

/**
 * Creates a scenario with its first run, and reserves its new checkpoints. A job computes the predictions. Rejections that need
 * neither a prediction nor the rows of an upload happen here, and leave nothing behind.
 *
 * @throws {DomainError} the errors of `resolveModels`, `checkScenarioInput` and `pinCheckpoints`; quota_exceeded
 */
export async function createScenario(ctx: Context, request: Request): Promise<AcceptedScenario> {
  const source = inputSource(request);
  await jobSender();
  return untilCurrent(() => attemptScenario(ctx, request, source));
}

async function attemptScenario(
  ctx: Context,
  request: Request,
  requested: InputSource,
): Promise<AcceptedScenario> {
  const { projectId } = request;
  const chosen = await resolveModels(ctx.db, request);
  const series = new LinkedSeries(ctx.db, modelFolders(chosen));
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
  const checkpointLabel = request.checkpointLabel ?? null;
  const pinned = await pinChosen(tx, ctx, { projectId, chosen, label: checkpointLabel });
  // The project is locked, so an existing base scenario cannot be deleted before the commit.
  if (source.kind === "Clone") await findScenario(tx, { projectId, scenarioId: source.baseScenarioId });
  const { checkpointId } = pinned;
  const uploadId = source.kind === "Upload" ? source.uploadId : null;
  await releaseClaim(tx);
  await tx.insert(scenarios).values({
    id: scenarioId,
    projectId,
    title: request.title,
    description: request.description ?? null,
    notes: request.notes ?? null,
    tags: request.tags ?? [],
    color: request.color ?? defaultColor,
    source: source.kind,
    fileName: source.kind === "Upload" ? (request.fileName ?? null) : null,
    baseScenarioId: source.kind === "Clone" ? source.baseScenarioId : null,
    adjustments: request.adjustments ?? [],
    shownRunId: scenarioId,
    createdBy: ctx.actor.userId,
  });
  if (uploadId != null) await markUploadUsed(tx, { projectId, uploadId });
  const { jobId, status } = await insertRun(tx, ctx, {
    projectId,
    scenarioId,
    runId: scenarioId,
    pinned,
    endDate: source.kind === "Generated" && source.endDate !== null ? new Date(source.endDate) : null,
    inputBytes,
    warnings,
    checkpointLabel,
    uploadId: uploadId?.toLowerCase() ?? null,
    keepsInput: false,
  });
  await recordChange(tx, ctx, "scenario.created", { projectId, entityId: scenarioId, label: request.title });
  return storeIdempotentResponse(tx, ctx, { jobId, status, scenarioId, checkpointId });
}
