import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { catalogue, type PayloadOf } from "./catalogue.ts";
import { deliverJob } from "./deliver-job.ts";
import { nextQueuePosition } from "./next-queue-position.ts";
import { publishJobUpdated } from "./publish-job-updated.ts";

export type JobRequest<T extends JobType> = {
  type: T;
  projectId: string;
  payload: PayloadOf<T>;
  scenarioId?: string | null;
  checkpointId?: string | null;
  modelId?: string | null;
  retryOf?: string | null;
  /** Set if rows of the same transaction reference the job before it is enqueued. */
  id?: string;
};

/**
 * Records a job and sends it to pg-boss in the caller's transaction. A commit delivers it within milliseconds. A
 * rollback removes both.
 *
 * @throws {z.ZodError} if the payload does not match the job type
 */
export async function enqueueJob<T extends JobType>(
  tx: Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  request: JobRequest<T>,
): Promise<{ id: string; status: "Pending" }> {
  const { type, projectId } = request;
  const id = request.id ?? newId();
  const payload = catalogue[type].payload.parse(request.payload);
  const [job] = await tx
    .insert(jobs)
    .values({
      id,
      projectId,
      type,
      status: "Pending",
      payload,
      queuePosition: nextQueuePosition(projectId, catalogue[type].queue),
      scenarioId: request.scenarioId ?? null,
      checkpointId: request.checkpointId ?? null,
      modelId: request.modelId ?? null,
      retryOf: request.retryOf ?? null,
      requestId: ctx.requestId,
      createdBy: ctx.actor.userId,
      apiKeyId: ctx.actor.kind === "api-key" ? ctx.actor.apiKeyId : null,
    })
    .returning();
  await deliverJob(tx, job!);
  await publishJobUpdated(tx, { id, projectId, type }, "Pending");
  return { id, status: "Pending" };
}
