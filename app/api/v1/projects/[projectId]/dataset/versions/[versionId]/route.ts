import { defineRoute } from "#lib/api/define-route";
import { VersionPath } from "#lib/api/path-params";
import { DatasetVersion } from "#lib/contract/dataset-versions";
import { deleteVersion } from "#lib/domain/datasets/delete-version";

export const DELETE = defineRoute({
  operationId: "deleteDatasetVersion",
  tag: "Data",
  summary: "Delete a version of a dataset",
  description:
    "Frees the space of an earlier version and returns it. Rows that other versions have as well stay, and so do models that were trained on it. Rejected for the current version, and while an unfinished job reads the version.",
  auth: "project",
  params: VersionPath,
  response: DatasetVersion,
  ifMatch: true,
  errors: ["version_not_found"],
  records: ["dataset.version-deleted"],
  run: (ctx, { params }) => deleteVersion(ctx, params),
});
