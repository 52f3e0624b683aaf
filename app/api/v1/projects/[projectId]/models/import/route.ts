import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ImportModel } from "#lib/contract/import-model";
import { JobAccepted } from "#lib/contract/jobs";
import { requestImport } from "#lib/domain/models/request-import";

export const POST = defineRoute({
  operationId: "importModel",
  tag: "Models",
  summary: "Import a model",
  description:
    "Starts an `ImportModel` job for an ONNX file or an XGBoost JSON file. The job validates the model and runs it in a separate process. If the model is invalid, the job ends `Failed` with `model_invalid` and the reason. Labelled rows provide metrics, value ranges and prediction intervals.",
  auth: "project",
  params: ProjectPath,
  body: ImportModel,
  fileFields: ["fileData", "labelledRows"],
  response: JobAccepted,
  status: 202,
  idempotent: true,
  errors: ["input_invalid", "upload_not_found", "quota_exceeded"],
  records: ["model.import-requested", "job-updated"],
  run: (ctx, { params, body }) => requestImport(ctx, { ...params, request: body }),
});
