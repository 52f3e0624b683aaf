import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { streamBody } from "#lib/api/request/read-body";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { limits } from "#lib/contract/limits";
import { WORKBOOK_TYPE } from "#lib/contract/reading";
import { ListedUpload, Upload } from "#lib/contract/uploads";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { listUploads } from "#lib/domain/datasets/list-uploads";

export const GET = defineRoute({
  operationId: "listUploads",
  tag: "Data",
  summary: "List open uploads",
  description:
    "Returns the uploads that no dataset, scenario or import has used yet, newest first. They count towards the project's quota.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(ListedUpload),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listUploads(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createUpload",
  tag: "Data",
  summary: "Upload a file",
  description:
    "Streams a file of at most 2 GiB to storage. Send the `uploadId` in place of `fileData` to set a dataset, append rows, create a scenario, or import a model or a checkpoint. The upload can be used any number of times within 24 hours. Unused uploads of a project are limited in number and size. Resources created from it remain.",
  auth: "project",
  params: ProjectPath,
  rawBody: {
    "text/csv": { description: "CSV file." },
    [WORKBOOK_TYPE]: { description: "Excel workbook of at most 64 MiB." },
    "application/octet-stream": { description: "Any file, such as an ONNX model." },
  },
  bodyLimitBytes: limits.uploadBytes,
  response: Upload,
  status: 201,
  idempotent: true,
  errors: ["quota_exceeded"],
  records: "none because an upload changes nothing until another call uses it",
  run(ctx, { params, request }) {
    const type = (request.headers.get("content-type") ?? "").toLowerCase();
    const isWorkbook = type.startsWith(WORKBOOK_TYPE);
    const limitBytes = isWorkbook ? limits.workbookBytes : limits.uploadBytes;
    const content = streamBody(request, limitBytes);
    const isCsv = isWorkbook || type.startsWith("text/csv");
    return createUpload(ctx, { projectId: params.projectId, content, isCsv, limitBytes });
  },
});
