import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { PutDataset, UpdateDataset } from "#lib/contract/dataset-requests";
import { Dataset } from "#lib/contract/datasets";
import { getDataset } from "#lib/domain/datasets/get-dataset";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { updateDataset } from "#lib/domain/datasets/update-dataset";

export const GET = defineRoute({
  operationId: "getDataset",
  tag: "Data",
  summary: "Get a project's dataset",
  description:
    "Returns the profile of the dataset: columns, value ranges, times and warnings. The profile does not include the rows.",
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
  summary: "Set a project's dataset",
  description:
    "Replaces the dataset with a CSV file. `timestamp` names one column, or two columns to join: a date, and an hour or time of day. Rows may be in any order. Each time may occur only once, unless `resample` joins the rows of each step, or `series` names columns: then each series has each time once.",
  auth: "project",
  params: ProjectPath,
  body: PutDataset,
  fileFields: ["fileData"],
  response: Dataset,
  etag: true,
  ifMatch: true,
  errors: ["input_invalid", "upload_not_found", "quota_exceeded"],
  records: ["dataset.replaced"],
  run: (ctx, { params, body }) => putDataset(ctx, { ...params, ...body }),
});

export const PATCH = defineRoute({
  operationId: "updateDataset",
  tag: "Data",
  summary: "Change a dataset's settings",
  description:
    "Changes the target, the series, the excluded columns or the confirmed columns without a file. The result is a new version of the same rows. Models and checkpoints do not change; the next training uses the new settings. Reading options are accepted if they equal the stored ones, because the service does not keep the file.",
  auth: "project",
  params: ProjectPath,
  body: UpdateDataset,
  response: Dataset,
  etag: true,
  ifMatch: true,
  errors: ["dataset_not_found", "input_invalid", "quota_exceeded"],
  records: ["dataset.updated"],
  run: (ctx, { params, body }) => updateDataset(ctx, { ...params, change: body }),
});
