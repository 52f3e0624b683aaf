import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Dataset, PutDataset } from "#lib/contract/datasets";
import { getDataset } from "#lib/domain/datasets/get-dataset";
import { putDataset } from "#lib/domain/datasets/put-dataset";

export const GET = defineRoute({
  operationId: "getDataset",
  tag: "Data",
  summary: "Get the project's dataset: columns, ranges, frequency",
  description:
    "What is known of each column, of the times, and what to be warned of; not the rows themselves.",
  auth: "project",
  params: ProjectPath,
  response: Dataset,
  etag: true,
  errors: ["dataset_not_found"],
  run: (ctx, { params }) => getDataset(ctx, params),
});

export const PUT = defineRoute({
  operationId: "putDataset",
  tag: "Data",
  summary: "Set the project's dataset from a CSV",
  description:
    "Takes the place of the dataset before. A timestamp may be one column, or two that are joined in the first: a date, and an hour or time of day. Rows may come in any order; each time may occur once.",
  auth: "project",
  params: ProjectPath,
  body: PutDataset,
  fileFields: ["fileData"],
  response: Dataset,
  etag: true,
  ifMatch: true,
  errors: ["input_invalid", "upload_not_found"],
  run: (ctx, { params, body }) => putDataset(ctx, { ...params, ...body }),
});
