import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { CheckpointAccepted, ImportCheckpoint } from "#lib/contract/checkpoints";
import { importCheckpoint } from "#lib/domain/checkpoints/import-checkpoint";

export const POST = defineRoute({
  operationId: "importCheckpoint",
  tag: "Checkpoints",
  summary: "Import a checkpoint",
  description:
    "Creates a checkpoint from an exported file. The request verifies the file's hashes and rejects a truncated or altered file. A `CreateCheckpoint` job then runs the model in a separate process. If the model is invalid, the job ends `Failed` with `model_invalid` and the reason. The new checkpoint predicts exactly like the exported one. The project's current model does not change. Send files above 64 MiB with `POST …/uploads` (`application/octet-stream`).",
  auth: "project",
  params: ProjectPath,
  body: ImportCheckpoint,
  fileFields: ["fileData"],
  response: CheckpointAccepted,
  status: 202,
  idempotent: true,
  errors: [
    "upload_not_found",
    "dependency_unknown",
    "duplicate_label",
    "checkpoint_limit_reached",
    "quota_exceeded",
  ],
  records: ["checkpoint.imported", "job-updated"],
  run: (ctx, { params, body }) => importCheckpoint(ctx, { ...params, ...body }),
});
