import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { TargetSeries, TargetSeriesQuery } from "#lib/contract/target-series";
import { getTargetSeries } from "#lib/domain/datasets/get-target-series";

export const GET = defineRoute({
  operationId: "getTargetSeries",
  tag: "Data",
  summary: "Get the target over time",
  description:
    "Returns the target column of the dataset for a chart, in time order. Without a timestamp, the points are in the order of the file.",
  auth: "project",
  params: ProjectPath,
  query: TargetSeriesQuery,
  response: TargetSeries,
  errors: ["dataset_not_found", "series_not_found"],
  run: (ctx, { params, query }) => getTargetSeries(ctx, { ...params, ...query }),
});
