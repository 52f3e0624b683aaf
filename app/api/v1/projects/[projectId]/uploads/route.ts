import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { streamBody } from "#lib/api/request/read-body";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { limits } from "#lib/contract/limits";
import { PARQUET_TYPE, WORKBOOK_TYPE } from "#lib/contract/reading";
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

/** Media types of tables, with the size of a file. */
const tables: [type: string, bytes: number][] = [
  ["text/csv", limits.uploadBytes],
  [WORKBOOK_TYPE, limits.workbookBytes],
  [PARQUET_TYPE, limits.parquetBytes],
];

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
    [PARQUET_TYPE]: { description: "Parquet file of at most 256 MiB, without nested columns." },
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
    const table = tables.find(([name]) => type.startsWith(name));
    const limitBytes = table?.[1] ?? limits.uploadBytes;
    const content = streamBody(request, limitBytes);
    return createUpload(ctx, {
      projectId: params.projectId,
      content,
      isCsv: table !== undefined,
      limitBytes,
    });
  },
});
