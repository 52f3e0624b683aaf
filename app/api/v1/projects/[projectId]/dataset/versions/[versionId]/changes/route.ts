import { defineRoute } from "#lib/api/define-route";
import { VersionPath } from "#lib/api/path-params";
import { DatasetChanges, VersionChangesQuery } from "#lib/contract/dataset-versions";
import { getVersionChanges } from "#lib/domain/datasets/version-changes";

export const GET = defineRoute({
  operationId: "getDatasetChanges",
  tag: "Data",
  summary: "Compare versions of a dataset",
  description:
    "Returns rows, columns and settings that differ from the version before, or from `sinceId`. To see what a restore would do, pass the current version as `sinceId`. Names models and scenarios that used rows which are removed.",
  auth: "project",
  params: VersionPath,
  query: VersionChangesQuery,
  response: DatasetChanges,
  errors: ["version_not_found"],
  run: (ctx, { params, query }) => getVersionChanges(ctx, { ...params, ...query }),
});
