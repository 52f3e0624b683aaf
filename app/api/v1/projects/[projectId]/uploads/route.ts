import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { streamBody } from "#lib/api/request/read-body";
import { Upload } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import { createUpload } from "#lib/domain/datasets/create-upload";

export const POST = defineRoute({
  operationId: "createUpload",
  tag: "Data",
  summary: "Upload a file",
  description:
    "Streams a file of at most 2 GiB to storage. Send the `uploadId` in place of `fileData` to set a dataset, append rows, create a scenario, or import a model or a checkpoint. The upload can be used any number of times within 24 hours. Resources created from it remain.",
  auth: "project",
  params: ProjectPath,
  rawBody: {
    "text/csv": { description: "CSV file in UTF-8." },
    "application/octet-stream": { description: "Any file, such as an ONNX model." },
  },
  bodyLimitBytes: limits.uploadBytes,
  response: Upload,
  status: 201,
  idempotent: true,
  run(ctx, { params, request }) {
    const content = streamBody(request, limits.uploadBytes);
    const isCsv = (request.headers.get("content-type") ?? "").toLowerCase().startsWith("text/csv");
    return createUpload(ctx, { projectId: params.projectId, content, isCsv });
  },
});
