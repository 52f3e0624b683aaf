import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { csvDownload, wantsCsv } from "#lib/api/response/csv-download";
import { nextLink, readCursor } from "#lib/api/response/pagination";
import { Reply } from "#lib/api/response/reply";
import { PredictionChart, PredictionRow, PredictionsQuery } from "#lib/contract/scenario-series";
import { chartPredictions } from "#lib/domain/stored-predictions/chart-predictions";
import { downloadPredictions } from "#lib/domain/stored-predictions/download-predictions";
import { listPredictions } from "#lib/domain/stored-predictions/list-predictions";

export const GET = defineRoute({
  operationId: "listPredictions",
  tag: "Scenarios",
  summary: "Get a scenario's predictions",
  description:
    "Returns one of three forms. With `limit` and `cursor`: rows. With `maxPoints`, `from`, `to` or `bucket`: a chart of at most `maxPoints` points, including the extremes. With `Accept: text/csv`: a download of input and predictions from `from` to `to`, or of predictions by `bucket`.",
  auth: "project",
  params: ScenarioPath,
  query: PredictionsQuery,
  response: z.union([z.array(PredictionRow), PredictionChart]),
  rawResponses: { "text/csv": { description: "Input and predictions." } },
  errors: ["scenario_not_ready"],
  async run(ctx, { params, query, request }) {
    const { maxPoints, from, to, limit, levels, bucket, aggregate } = query;
    const window = { ...params, from, to, levels, bucket, aggregate };
    // Number of the row before the page.
    const after = readCursor(request, z.number());
    if (wantsCsv(request)) {
      const { title, pieces } = await downloadPredictions(ctx, window);
      return csvDownload(title, pieces);
    }
    if ([maxPoints, from, to, bucket].some((one) => one !== undefined)) {
      return chartPredictions(ctx, { ...window, maxPoints });
    }
    const { rows, next } = await listPredictions(ctx, { ...params, limit, after, levels });
    return new Reply(rows, nextLink(request, next));
  },
});
