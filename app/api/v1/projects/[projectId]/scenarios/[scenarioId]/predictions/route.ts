import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { nextLink, readCursor } from "#lib/api/response/pagination";
import { Reply } from "#lib/api/response/reply";
import { tableDownload, tableResponses, wantedTable } from "#lib/api/response/table-download";
import { PredictionChart, PredictionRow, PredictionsQuery } from "#lib/contract/scenario-series";
import { chartPredictions } from "#lib/domain/stored-predictions/chart-predictions";
import { downloadPredictions } from "#lib/domain/stored-predictions/download-predictions";
import { listPredictions } from "#lib/domain/stored-predictions/list-predictions";

export const GET = defineRoute({
  operationId: "listPredictions",
  tag: "Scenarios",
  summary: "Get a scenario's predictions",
  description:
    "Returns one of three forms. With `limit` and `cursor`: rows. With `maxPoints`, `from`, `to`, `bucket` or `by`: a chart of at most `maxPoints` points, including the extremes. With `Accept: text/csv` or `application/vnd.apache.parquet`: a download of input and predictions from `from` to `to`, or of predictions by `bucket`. Of many series, a chart shows the sum; `series` and `where` choose series, and `by` adds groups of them. `run` or `asOf` chooses an earlier run.",
  auth: "project",
  params: ScenarioPath,
  query: PredictionsQuery,
  response: z.union([z.array(PredictionRow), PredictionChart]),
  rawResponses: tableResponses("Input and predictions."),
  errors: ["run_not_found", "scenario_not_ready", "series_not_found"],
  async run(ctx, { params, query, request }) {
    const { limit, cursor: _, maxPoints, ...rest } = query;
    const { from, to, bucket, by } = rest;
    // Number of the row, or of the groups, before the page.
    const after = readCursor(request, z.number());
    const table = wantedTable(request);
    if (table !== null) {
      const { title, parts } = await downloadPredictions(ctx, { ...params, ...rest });
      return tableDownload(table, title, parts);
    }
    if ([maxPoints, from, to, bucket, by].some((one) => one !== undefined)) {
      const { chart, next } = await chartPredictions(ctx, { ...params, ...rest, maxPoints, limit, after });
      return new Reply(chart, nextLink(request, next));
    }
    const { rows, next } = await listPredictions(ctx, { ...params, ...rest, limit, after });
    return new Reply(rows, nextLink(request, next));
  },
});
