import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { nextLink, readCursor } from "#lib/api/response/pagination";
import { Reply } from "#lib/api/response/reply";
import { ScenarioActuals } from "#lib/contract/actuals";
import { ScenarioActualsQuery } from "#lib/contract/scenario-series";
import { scenarioActuals } from "#lib/domain/actuals/scenario-actuals";

export const GET = defineRoute({
  operationId: "getScenarioActuals",
  tag: "Scenarios",
  summary: "Compare a scenario with actuals",
  description:
    "Returns predictions with the actual values that the project's dataset has so far. `errors` covers all rows from `from` to `to`, and includes the naive forecast from the same start. Append actual values with `POST …/dataset/rows`. Without any, `errors` is `null` and `reason` gives the reason. Of many series, the errors are those of the sums of the series that `series` and `where` choose, and `by` adds those of groups. `run` or `asOf` chooses an earlier run, which needs its checkpoint here.",
  auth: "project",
  params: ScenarioPath,
  query: ScenarioActualsQuery,
  response: ScenarioActuals,
  errors: ["run_not_found", "checkpoint_not_found", "scenario_not_ready", "series_not_found"],
  async run(ctx, { params, query, request }) {
    const { cursor: _, ...rest } = query;
    // Number of the groups before the page.
    const after = readCursor(request, z.number());
    const { actuals, next } = await scenarioActuals(ctx, { ...params, ...rest, after });
    return new Reply(actuals, nextLink(request, next));
  },
});
