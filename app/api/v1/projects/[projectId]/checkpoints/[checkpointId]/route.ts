import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { CheckpointAccepted, CheckpointDetail, UpdateCheckpoint } from "#lib/contract/checkpoints";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { getCheckpoint } from "#lib/domain/checkpoints/get-checkpoint";
import { updateCheckpoint } from "#lib/domain/checkpoints/update-checkpoint";

export const GET = defineRoute({
  operationId: "getCheckpoint",
  tag: "Checkpoints",
  summary: "Get a checkpoint",
  description:
    "Returns the summary fields with training metrics, input features, feature engineering and details of the stored model.",
  auth: "project",
  params: CheckpointPath,
  response: CheckpointDetail,
  etag: true,
  run: (ctx, { params }) => getCheckpoint(ctx, params),
});

export const PUT = defineRoute({
  operationId: "updateCheckpoint",
  tag: "Checkpoints",
  summary: "Update a checkpoint",
  description:
    "Changes the label, the description or the default status. Send at least one of `label`, `description` and `setAsDefault`. Read-only fields of the record are accepted and ignored. `setAsDefault: false` on the default checkpoint changes nothing.",
  auth: "project",
  params: CheckpointPath,
  body: UpdateCheckpoint,
  response: CheckpointDetail,
  etag: true,
  ifMatch: true,
  errors: ["duplicate_label"],
  records: ["checkpoint.updated?", "checkpoint.made-default?"],
  run(ctx, { params, body: { label, description, setAsDefault } }) {
    return updateCheckpoint(ctx, { ...params, label, description, setAsDefault });
  },
});

export const DELETE = defineRoute({
  operationId: "deleteCheckpoint",
  tag: "Checkpoints",
  summary: "Delete a checkpoint",
  description:
    "The checkpoint disappears immediately. A background job deletes its record, and its files are deleted after that. Deleting the default checkpoint makes the newest remaining checkpoint the default. A checkpoint that a scenario uses cannot be deleted.",
  auth: "project",
  params: CheckpointPath,
  response: CheckpointAccepted,
  status: 202,
  ifMatch: true,
  errors: ["checkpoint_in_use"],
  records: ["checkpoint.deleted", "checkpoint.made-default?", "project.default-removed?", "job-updated"],
  async run(ctx, { params }) {
    const { jobId, label } = await deleteCheckpoint(ctx, params);
    const message = `Deletion of checkpoint ${JSON.stringify(label)} was initiated. Its artifacts are removed in the background.`;
    return { message, checkpointId: params.checkpointId, jobId };
  },
});
