import { defineRoute } from "#lib/api/define-route";
import { CheckpointPath } from "#lib/api/path-params";
import { CheckpointRecord } from "#lib/contract/actuals";
import { ChartQuery } from "#lib/contract/scenario-series";
import { checkpointRecord } from "#lib/domain/actuals/checkpoint-record";

export const GET = defineRoute({
  operationId: "getCheckpointRecord",
  tag: "Checkpoints",
  summary: "Get a checkpoint's forecast accuracy",
  description:
    "Compares predictions with actuals over the rows that arrived after the model's data ended, at most the latest 20,000. Predicts from actual inputs, as in validation. Returns errors in total and by day, week or month, with those of the naive forecast. Append rows with `POST …/dataset/rows`. Without new rows, `errors` is `null` and `reason` gives the reason.",
  auth: "project",
  params: CheckpointPath,
  query: ChartQuery.pick({ maxPoints: true }),
  response: CheckpointRecord,
  run: (ctx, { params, query }) => checkpointRecord(ctx, { ...params, ...query }),
});
