import type { CreateCheckpoint } from "#lib/contract/checkpoints";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { reserveCheckpoints } from "./reserve-checkpoints.ts";

/**
 * Reserves a checkpoint of the project's current model, or of an earlier one. The job copies the artifacts and makes the
 * checkpoint visible.
 *
 * @throws {DomainError} project_not_found, model_not_found, no_trained_model, checkpoint_limit_reached, duplicate_label,
 *   quota_exceeded
 */
export async function createCheckpoint(
  ctx: Context,
  { projectId, ...request }: CreateCheckpoint & { projectId: string },
): Promise<{ message: string; checkpointId: string; jobId: string }> {
  const { modelId } = request;
  const label = request.label ?? null;
  const description = request.description ?? null;
  const setAsDefault = request.setAsDefault ?? false;
  return ctx.db.transaction(async (tx) => {
    const [reserved] = await reserveCheckpoints(tx, ctx, [
      { projectId, modelId, label, description, setAsDefault },
    ]);
    const { id: checkpointId, label: reservedLabel } = reserved!;
    const job = await enqueueJob(tx, ctx, {
      type: "CreateCheckpoint",
      projectId,
      checkpointId,
      payload: { checkpointId, modelId, label, description, setAsDefault },
    });
    await recordChange(tx, ctx, "checkpoint.created", {
      projectId,
      entityId: checkpointId,
      label: reservedLabel,
    });
    const message = `Creation of checkpoint ${JSON.stringify(reservedLabel)} was initiated. Its completion is notified over the real-time channel.`;
    return storeIdempotentResponse(tx, ctx, { message, checkpointId, jobId: job.id });
  });
}
