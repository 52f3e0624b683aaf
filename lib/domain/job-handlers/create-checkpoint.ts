import type { Transaction } from "#db/client";
import { checkImport } from "#lib/domain/checkpoints/check-import";
import { dropReservations } from "#lib/domain/checkpoints/drop-reservations";
import { publishReservedCheckpoints } from "#lib/domain/checkpoints/publish-reserved-checkpoints";
import { reserveCheckpoints } from "#lib/domain/checkpoints/reserve-checkpoints";
import { restoreCheckpoint } from "#lib/domain/checkpoints/restore-checkpoint";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { JobHandler } from "#lib/domain/jobs/job-handler";
import { recordChange } from "#lib/platform/audit/record-change";
import { catalogue } from "#lib/platform/jobs/catalogue";
import { storedPayload } from "#lib/platform/jobs/stored-payload";

const { payload: Payload } = catalogue.CreateCheckpoint;

export const createCheckpoint: JobHandler<"CreateCheckpoint"> = {
  async run(run, { checkpointId, uploadId }) {
    if (uploadId !== undefined) return restoreCheckpoint(run, { checkpointId, uploadId });
    await run.report(10, { stage: "Copying the model's artifacts" });
    await publishReservedCheckpoints(run, [checkpointId], (tx) => run.complete(tx));
  },

  async abandon(tx, job) {
    const { checkpointId } = Payload.pick({ checkpointId: true }).parse(job.payload);
    await dropReservations(tx, { jobId: job.id, status: job.status, checkpointIds: [checkpointId] });
  },

  /**
   * Reserves the checkpoint again, from the same file or model, else from the current model: the old reservation ended
   * with the job.
   */
  async retry(tx, ctx, job) {
    const { projectId } = job;
    const request = storedPayload({ ...job, type: "CreateCheckpoint" });
    const imported = await importedFrom(tx, { projectId, uploadId: request.uploadId });
    const [reserved] = await reserveCheckpoints(tx, ctx, [{ ...request, ...imported, projectId }]);
    const { id: checkpointId, label } = reserved!;
    const action = request.uploadId === undefined ? "checkpoint.created" : "checkpoint.imported";
    await recordChange(tx, ctx, action, { projectId, entityId: checkpointId, label });
    return { checkpointId, payload: { ...request, checkpointId } };
  },
};

async function importedFrom(
  tx: Transaction,
  { projectId, uploadId }: { projectId: string; uploadId?: string | undefined },
) {
  if (uploadId === undefined) return {};
  const file = await readUpload(tx, { projectId, uploadId });
  return { imported: await checkImport(tx, { projectId, file, field: "uploadId" }) };
}
