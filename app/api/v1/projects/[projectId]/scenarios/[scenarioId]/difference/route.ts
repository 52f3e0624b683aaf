import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { nextLink, readCursor } from "#lib/api/response/pagination";
import { Reply } from "#lib/api/response/reply";
import { Difference, DifferenceQuery } from "#lib/contract/scenario-differences";
import { explainDifference } from "#lib/domain/comparison/explain-difference";

export const GET = defineRoute({
  operationId: "explainDifference",
  tag: "Scenarios",
  summary: "Explain the difference between two scenarios",
  description:
    "Splits the difference from `baselineId`, in total and at each point, into its causes: input features, predictions of upstream projects, the checkpoint, and earlier values of the target. The parts are Shapley values and add up to the whole difference. Totals cover every row from `from` to `to` that both scenarios have. `maxPoints` (default 1,000) reduces only the returned points. Of many series, the points are sums of the series that `series` and `where` choose, and `by` also splits the difference and its parts by groups of them. `run` or `asOf` explains an earlier run of the scenario; `baselineId` can name one, so that two runs of a scenario are explained too. After the checkpoint of an earlier run was deleted, returns 404 `checkpoint_not_found`.",
  auth: "project",
  params: ScenarioPath,
  query: DifferenceQuery,
  response: Difference,
  errors: [
    "run_not_found",
    "checkpoint_not_found",
    "scenario_not_ready",
    "series_not_found",
    "input_invalid",
  ],
  async run(ctx, { params, query, request }) {
    const { cursor: _, ...rest } = query;
    // Number of the groups before the page.
    const after = readCursor(request, z.number());
    const { difference, next } = await explainDifference(ctx, { ...rest, ...params, after });
    return new Reply(difference, nextLink(request, next));
  },
});
