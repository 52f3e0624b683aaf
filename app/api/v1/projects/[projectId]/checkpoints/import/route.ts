import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { CheckpointAccepted, ImportCheckpoint } from "#lib/contract/checkpoints";
import { importCheckpoint } from "#lib/domain/checkpoints/import-checkpoint";

export const POST = defineRoute({
  operationId: "importCheckpoint",
  tag: "Checkpoints",
  summary: "Make a checkpoint of an exported one's file",
  description:
    "The file's hashes are checked before this answers; one that was cut short or altered is refused. A `CreateCheckpoint` job then tries its model in a process of its own; one that is not sound ends it Failed with `model_invalid` and the reason. The checkpoint predicts just like the exported one. The project's current model stays what it is. Files above 64 MiB come by `POST …/uploads` (`application/octet-stream`).",
  auth: "project",
  params: ProjectPath,
  body: ImportCheckpoint,
  fileFields: ["fileData"],
  response: CheckpointAccepted,
  status: 202,
  idempotent: true,
  errors: ["upload_not_found", "dependency_unknown", "duplicate_label", "checkpoint_limit_reached"],
  run: (ctx, { params, body }) => importCheckpoint(ctx, { ...params, ...body }),
});
