import type { Context } from "#lib/context/context";
import type { ScenarioValidation, ValidateScenario } from "#lib/contract/scenarios";
import type { FaultList } from "#lib/csv/faults";
import { faultDetail } from "#lib/datasets/csv-refusal";
import { openSource } from "#lib/datasets/file-source";
import { readUpload } from "#lib/datasets/read-upload";
import { countedDetails, DomainError } from "#lib/errors/domain-error";
import { servingModel } from "#lib/models/serving-model";
import { dependencyClosure } from "#lib/projects/dependency-graph";
import { givenUpstream, notCsv, uploadFaults } from "./check-request.ts";
import { PinnedSeries } from "./pinned-series.ts";
import { resolveMain } from "./resolve-models.ts";

/**
 * Checks a CSV against a checkpoint's features, or without one the current model's, just as creation does. Of a large
 * upload the columns and types: its single rows are checked by the job that reads it.
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model, upload_not_found, validation_failed for what is no
 *   base64, payload_too_large
 */
export async function validateScenario(
  ctx: Context,
  { projectId, checkpointId, fileData, uploadId }: ValidateScenario & { projectId: string },
): Promise<ScenarioValidation> {
  if ((fileData == null) === (uploadId == null)) {
    const message = "Send either fileData or uploadId.";
    throw new DomainError("validation_failed", message, {
      details: [{ field: "fileData", code: "contradiction", message }],
    });
  }
  const main = await resolveMain(ctx.db, projectId, checkpointId?.toLowerCase() ?? null);
  const series = await pinnedSeries(ctx, projectId, main.artifactKey);
  const { model } = await series.project(projectId);
  if (uploadId != null) {
    const { profile } = await readUpload(ctx.db, { projectId, uploadId });
    if (profile === null) throw notCsv(uploadId);
    return {
      ...verdict(uploadFaults(model, profile)),
      rowCount: profile.lineCount,
      warnings: [],
    };
  }
  const file = await openSource(ctx.db, { projectId, fileData });
  const { check, ...input } = await series.readCsv(projectId, file, { signal: ctx.signal });
  return {
    ...verdict({ faults: check.faults, count: check.faultCount }),
    rowCount: check.rowCount,
    warnings: [...check.warnings, ...givenUpstream(model, input)],
  };
}

/** The faults as the wire tells them: the first hundred, then a count. */
function verdict({ faults, count }: Pick<FaultList, "faults" | "count">) {
  return { valid: count === 0, faults: countedDetails(faults.map(faultDetail), count - faults.length) };
}

/** Which checkpoints of dependent projects will be used is not known yet: those that serve them stand in. */
async function pinnedSeries(ctx: Context, projectId: string, artifactKey: string): Promise<PinnedSeries> {
  const keys = new Map([[projectId, artifactKey]]);
  for (const node of (await dependencyClosure(ctx.db, projectId)).slice(0, -1)) {
    const serving = await servingModel(ctx.db, node.projectId);
    if (serving !== null) keys.set(node.projectId, serving.artifactKey);
  }
  return new PinnedSeries(ctx.db, keys);
}
