import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import {
  Checkpoint,
  CheckpointAccepted,
  CreateCheckpoint,
  ListCheckpointsQuery,
} from "#lib/contract/checkpoints";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { listCheckpoints } from "#lib/domain/checkpoints/list-checkpoints";
import { presentCheckpoint } from "#lib/domain/checkpoints/present";
import { countScenariosUsingEach } from "#lib/domain/checkpoints/scenarios-using";

export const GET = defineRoute({
  operationId: "listCheckpoints",
  tag: "Checkpoints",
  summary: "List a project's checkpoints",
  description: "Returns checkpoints with complete artifacts, newest first.",
  auth: "project",
  params: ProjectPath,
  query: ListCheckpointsQuery,
  response: z.array(Checkpoint),
  async run(ctx, { params, query, request }) {
    const after = pageStart(request);
    const { items, next } = await listCheckpoints(ctx, { ...params, limit: query.limit, after });
    const listed = items.map(presentCheckpoint);
    if (query.include === undefined) return pageReply(request, { items: listed, next });
    const usage = await countScenariosUsingEach(
      ctx.db,
      items.map(({ id }) => id),
    );
    const withUsage = listed.map((one) => ({ ...one, usedByScenarios: usage.get(one.id) ?? 0 }));
    return pageReply(request, { items: withUsage, next });
  },
});

export const POST = defineRoute({
  operationId: "createCheckpoint",
  tag: "Checkpoints",
  summary: "Create a checkpoint",
  description:
    "Saves the current trained model, or the one named by `modelId`, as a new checkpoint. A background job copies the model's artifacts. The checkpoint appears once the copy is complete, and the service sends the event `checkpoint-created`. If the copy fails, the service sends `checkpoint-failed`.",
  auth: "project",
  params: ProjectPath,
  body: CreateCheckpoint,
  response: CheckpointAccepted,
  status: 202,
  idempotent: true,
  errors: [
    "duplicate_label",
    "no_trained_model",
    "model_not_found",
    "checkpoint_limit_reached",
    "quota_exceeded",
  ],
  records: ["checkpoint.created", "job-updated"],
  run: (ctx, { params, body }) => createCheckpoint(ctx, { ...params, ...body }),
});
