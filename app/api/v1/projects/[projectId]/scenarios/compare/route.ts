import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { nextLink, readCursor } from "#lib/api/response/pagination";
import { Reply } from "#lib/api/response/reply";
import { tableDownload, tableResponses, wantedTable } from "#lib/api/response/table-download";
import { CompareQuery, Comparison } from "#lib/contract/scenario-series";
import { compareScenarios } from "#lib/domain/comparison/compare-scenarios";
import { downloadComparison } from "#lib/domain/comparison/download-comparison";

export const GET = defineRoute({
  operationId: "compareScenarios",
  tag: "Scenarios",
  summary: "Compare scenarios",
  description:
    "Compares 2 to 20 scenarios, or runs of scenarios. Returns series aligned by time (by row if one of them has no times), differences from the baseline, and differences in inputs and checkpoints. Totals cover every point from `from` to `to`. `maxPoints` reduces only the returned points and keeps the extremes. `limit` with `offset` returns a page of points instead. `bucket` aggregates the points, not the totals. With `Accept: text/csv` or `application/vnd.apache.parquet`: a download of every point. Of many series, the comparison shows the sums; `series` and `where` choose series, and `by` adds groups of them. `asOf` compares the runs that had completed last at a time.",
  auth: "project",
  params: ProjectPath,
  query: CompareQuery,
  response: Comparison,
  rawResponses: tableResponses("Every point, with prediction intervals and differences."),
  errors: ["scenario_not_found", "run_not_found", "scenario_not_ready", "series_not_found"],
  async run(ctx, { params, query, request }) {
    const { cursor: _, ...rest } = query;
    // Number of the groups before the page.
    const after = readCursor(request, z.number());
    const table = wantedTable(request);
    if (table === null) {
      const { comparison, next } = await compareScenarios(ctx, { ...rest, ...params, after });
      return new Reply(comparison, nextLink(request, next));
    }
    const { title, parts } = await downloadComparison(ctx, { ...rest, ...params });
    return tableDownload(table, title, parts);
  },
});
