import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { AppendRows, Dataset } from "#lib/contract/datasets";
import { appendRows } from "#lib/domain/datasets/append-rows";

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
  errors: ["dataset_not_found", "input_invalid", "upload_not_found"],
  run: (ctx, { params, body }) => appendRows(ctx, { ...params, ...body }),
});
