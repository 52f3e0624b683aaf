import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { TrackRecord, TrackRecordQuery } from "#lib/contract/track-record";
import { trackRecord } from "#lib/domain/actuals/track-record";

export const GET = defineRoute({
  operationId: "getTrackRecord",
  tag: "Projects",
  summary: "Get a project's track record",
  description:
    "Compares what the project's runs predicted with what came: only predictions of times after the last row that the run knew, with the overrides of that time. Returns errors in total, by steps ahead and by period, beside the naive forecast of the same rows, and what overrides added. Of many series, the values are totals. Scenarios based on others do not count. Without anything to compare, `errors` is `null` and `reason` gives the reason.",
  auth: "project",
  params: ProjectPath,
  query: TrackRecordQuery,
  response: TrackRecord,
  errors: ["scenario_not_found"],
  run: (ctx, { params, query }) => trackRecord(ctx, { ...params, ...query }),
});
