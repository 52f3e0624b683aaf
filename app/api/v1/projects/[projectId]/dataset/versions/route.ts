import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { DatasetVersion } from "#lib/contract/dataset-versions";
import { listVersions } from "#lib/domain/datasets/list-versions";

export const GET = defineRoute({
  operationId: "listDatasetVersions",
  tag: "Data",
  summary: "List a dataset's versions",
  description:
    "Returns the versions that are kept, newest first: the last ten, and those that waiting trainings use. The first one is the current dataset.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(DatasetVersion),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listVersions(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});
