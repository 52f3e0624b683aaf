import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ImportModel } from "#lib/contract/import-model";
import { JobAccepted } from "#lib/contract/jobs";
import { requestImport } from "#lib/domain/models/request-import";

export const POST = defineRoute({
  operationId: "importModel",
  tag: "Models",
  summary: "Import a model from outside",
  description:
    "Starts an `ImportModel` job for an ONNX file or XGBoost's own JSON. The job checks the model and runs it in a process of its own; one that is not sound ends it Failed with `model_invalid` and the reason. Labelled rows give metrics, ranges and intervals.",
  auth: "project",
  params: ProjectPath,
  body: ImportModel,
  fileFields: ["fileData", "labelledRows"],
  response: JobAccepted,
  status: 202,
  idempotent: true,
  errors: ["input_invalid", "upload_not_found"],
  run: (ctx, { params, body }) => requestImport(ctx, { ...params, request: body }),
});
