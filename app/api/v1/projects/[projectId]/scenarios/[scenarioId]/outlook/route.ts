import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { OutlookPeriod, OutlookQuery } from "#lib/contract/outlook";
import { scenarioOutlook } from "#lib/domain/actuals/scenario-outlook";

export const GET = defineRoute({
  operationId: "getScenarioOutlook",
  tag: "Scenarios",
  summary: "Add up actuals to date and the forecast of the rest",
  description:
    "Returns, by month, quarter or year, the actual values that the project's dataset has so far and the forecast, with overrides, of the times without an actual value. Each time of a series counts once. Periods begin in the dataset's time zone. Those without any value are left out; at most 1,000 are returned. Of many series, the sums are those of the series that `series` and `where` choose.",
  auth: "project",
  params: ScenarioPath,
  query: OutlookQuery,
  response: z.array(OutlookPeriod),
  errors: ["scenario_not_ready", "run_not_found", "series_not_found"],
  run: (ctx, { params, query }) => scenarioOutlook(ctx, { ...params, ...query }),
});
