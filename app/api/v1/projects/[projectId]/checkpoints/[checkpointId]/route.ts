import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { CheckpointAccepted, CheckpointDetail, UpdateCheckpoint } from "#lib/contract/checkpoints";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { getCheckpoint } from "#lib/domain/checkpoints/get-checkpoint";
import { updateCheckpoint } from "#lib/domain/checkpoints/update-checkpoint";

export const GET = defineRoute({
  operationId: "getCheckpoint",
  tag: "Checkpoints",
  summary: "Get a checkpoint with its details",
  description:
    "The summary fields, and training metrics, input features, feature engineering and what is stored.",
  auth: "project",
  params: CheckpointPath,
  response: CheckpointDetail,
  etag: true,
  run: (ctx, { params }) => getCheckpoint(ctx, params),
});

export const PUT = defineRoute({
  operationId: "updateCheckpoint",
  tag: "Checkpoints",
  summary: "Change a checkpoint's label, description or default status",
  description:
    "Send at least one of the three. Read-only fields of the record are accepted and left alone. `setAsDefault: false` on the default changes nothing.",
  auth: "project",
  params: CheckpointPath,
  body: UpdateCheckpoint,
  response: CheckpointDetail,
  etag: true,
  ifMatch: true,
  errors: ["duplicate_label"],
  run(ctx, { params, body: { label, description, setAsDefault } }) {
    return updateCheckpoint(ctx, { ...params, label, description, setAsDefault });
  },
});

export const DELETE = defineRoute({
  operationId: "deleteCheckpoint",
  tag: "Checkpoints",
  summary: "Delete a checkpoint that no scenario uses",
  description:
    "It is gone at once; its artifacts are removed in the background. If it was the default, the newest remaining checkpoint becomes the default.",
  auth: "project",
  params: CheckpointPath,
  response: CheckpointAccepted,
  status: 202,
  ifMatch: true,
  errors: ["checkpoint_in_use"],
  async run(ctx, { params }) {
    const { jobId, label } = await deleteCheckpoint(ctx, params);
    const message = `Deletion of checkpoint ${JSON.stringify(label)} was initiated. Its artifacts are removed in the background.`;
    return { message, checkpointId: params.checkpointId, jobId };
  },
});
