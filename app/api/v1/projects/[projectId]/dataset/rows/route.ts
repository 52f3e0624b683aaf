import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { AppendRows } from "#lib/contract/dataset-requests";
import { CorrectRows, DatasetRows, DatasetRowsQuery } from "#lib/contract/dataset-versions";
import { Dataset } from "#lib/contract/datasets";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { correctRows } from "#lib/domain/datasets/correct-rows";
import { getDatasetRows } from "#lib/domain/datasets/get-dataset-rows";

export const GET = defineRoute({
  operationId: "getDatasetRows",
  tag: "Data",
  summary: "Get rows of a dataset",
  description:
    "Returns a page of rows of the current version, by `limit` and `offset`. Excluded columns are included if they are stored.",
  auth: "project",
  params: ProjectPath,
  query: DatasetRowsQuery,
  response: DatasetRows,
  errors: ["dataset_not_found"],
  run: (ctx, { params, query }) => getDatasetRows(ctx, { ...params, ...query }),
});

export const POST = defineRoute({
  operationId: "appendDatasetRows",
  tag: "Data",
  summary: "Append actuals to a dataset",
  description: "The CSV has the same columns as the dataset. Rows of a series must come after its last time.",
  auth: "project",
  params: ProjectPath,
  body: AppendRows,
  fileFields: ["fileData"],
  response: Dataset,
  etag: true,
  ifMatch: true,
  idempotent: true,
  errors: ["dataset_not_found", "input_invalid", "upload_not_found", "quota_exceeded"],
  records: ["dataset.appended"],
  run: (ctx, { params, body }) => appendRows(ctx, { ...params, ...body }),
});

export const PATCH = defineRoute({
  operationId: "correctDatasetRows",
  tag: "Data",
  summary: "Correct or delete rows of a dataset",
  description:
    "Makes a new version of the dataset. Row numbers are those of `GET …/dataset/rows`. Send its `versionId`, or `If-Match`, because another change may move rows.",
  auth: "project",
  params: ProjectPath,
  body: CorrectRows,
  response: Dataset,
  etag: true,
  ifMatch: true,
  errors: ["dataset_not_found", "input_invalid", "quota_exceeded"],
  records: ["dataset.corrected"],
  run: (ctx, { params, body }) => correctRows(ctx, { ...params, ...body }),
});
