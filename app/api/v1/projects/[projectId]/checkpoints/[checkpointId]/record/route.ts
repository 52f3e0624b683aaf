import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { CheckpointRecord } from "#lib/contract/actuals";
import { ChartQuery } from "#lib/contract/scenario-series";
import { checkpointRecord } from "#lib/domain/actuals/checkpoint-record";

export const GET = defineRoute({
  operationId: "getCheckpointRecord",
  tag: "Checkpoints",
  summary: "How a checkpoint has done since it was made",
  description:
    "Over the rows that arrived after its model's data ended, at most the latest 20,000: predicted from their actual inputs as in validation, beside the naive forecast, in all and by day, week or month. Append rows with `POST …/dataset/rows`. Where there are none, `errors` is null and `reason` says why.",
  auth: "project",
  params: CheckpointPath,
  query: ChartQuery.pick({ maxPoints: true }),
  response: CheckpointRecord,
  run: (ctx, { params, query }) => checkpointRecord(ctx, { ...params, ...query }),
});
