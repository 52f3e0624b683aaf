import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListedSeries, SeriesListQuery } from "#lib/contract/series";
import { listSeries } from "#lib/domain/series/list-series";

export const GET = defineRoute({
  operationId: "listSeries",
  tag: "Data",
  summary: "List a dataset's series",
  description:
    "Returns the series that the series columns of the dataset name, with their rows and gaps. The list is empty for a dataset of one series.",
  auth: "project",
  params: ProjectPath,
  query: SeriesListQuery,
  response: z.array(ListedSeries),
  async run(ctx, { params, query, request }) {
    const { cursor: _, ...wanted } = query;
    return pageReply(request, await listSeries(ctx, { ...params, ...wanted, after: pageStart(request) }));
  },
});
