import { dropReservations } from "#lib/checkpoints/drop-reservations";
import { publishReservedCheckpoint } from "#lib/checkpoints/publish-checkpoint";
import { reserveCheckpoints } from "#lib/checkpoints/reserve-checkpoints";
import { catalogue } from "#lib/jobs/catalogue";
import type { JobHandler } from "../job-handler.ts";

const { payload: Payload } = catalogue.CreateCheckpoint;

export const createCheckpoint: JobHandler<"CreateCheckpoint"> = {
  async run(run, { checkpointId }) {
    await run.report(10, { stage: "Copying the model's artifacts" });
    await publishReservedCheckpoint(run, checkpointId, (tx) => run.complete(tx));
  },

  async abandon(tx, job) {
    const { checkpointId } = Payload.parse(job.payload);
    await dropReservations(tx, { jobId: job.id, status: job.status, checkpointIds: [checkpointId] });
  },

  /** The reservation went when the job ended: another one is made, of the model that is current now. */
  async retry(tx, ctx, job) {
    const wish = Payload.parse(job.payload);
    const [reserved] = await reserveCheckpoints(tx, ctx, [{ ...wish, projectId: job.projectId }]);
    return { checkpointId: reserved!.id, payload: { ...wish, checkpointId: reserved!.id } };
  },
};
