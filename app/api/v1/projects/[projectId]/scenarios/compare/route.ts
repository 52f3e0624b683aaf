import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { csvDownload, wantsCsv } from "#lib/api/response/csv-download";
import { CompareQuery, Comparison } from "#lib/contract/scenario-series";
import { compareScenarios } from "#lib/domain/comparison/compare-scenarios";
import { downloadComparison } from "#lib/domain/comparison/download-comparison";

export const GET = defineRoute({
  operationId: "compareScenarios",
  tag: "Scenarios",
  summary: "Compare scenarios",
  description:
    "Compares 2 to 20 scenarios. Returns series aligned by time (by row if one of them has no times), differences from the baseline, and differences in inputs and checkpoints. Totals cover every point from `from` to `to`. `maxPoints` reduces only the returned points and keeps the extremes. `limit` with `offset` returns a page of points instead. `bucket` aggregates the points, not the totals. With `Accept: text/csv`: a download of every point.",
  auth: "project",
  params: ProjectPath,
  query: CompareQuery,
  response: Comparison,
  rawResponses: { "text/csv": { description: "Every point, with prediction intervals and differences." } },
  errors: ["scenario_not_found", "scenario_not_ready"],
  async run(ctx, { params, query, request }) {
    if (!wantsCsv(request)) return compareScenarios(ctx, { ...query, ...params });
    const { title, pieces } = await downloadComparison(ctx, { ...query, ...params });
    return csvDownload(title, pieces);
  },
});
