import { defineRoute } from "#lib/api/define-route";
import { VersionPath } from "#lib/api/path-params";
import { Dataset } from "#lib/contract/datasets";
import { restoreVersion } from "#lib/domain/datasets/restore-version";

export const POST = defineRoute({
  operationId: "restoreDatasetVersion",
  tag: "Data",
  summary: "Restore a version of a dataset",
  description:
    "Makes a new version with the rows and settings of this one. Versions in between stay. Warnings name models that were trained on rows which are removed, and scenarios that were compared with them. `If-Match` applies to the current dataset.",
  auth: "project",
  params: VersionPath,
  response: Dataset,
  etag: true,
  ifMatch: true,
  idempotent: true,
  errors: ["dataset_not_found", "version_not_found", "quota_exceeded"],
  records: ["dataset.restored"],
  run: (ctx, { params }) => restoreVersion(ctx, params),
});
