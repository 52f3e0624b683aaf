import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { predictInThread } from "#lib/api/request/predict-in-thread";
import { limits } from "#lib/contract/limits";
import { Prediction, PredictRequest } from "#lib/contract/predictions";
import { predict } from "#lib/domain/predict/predict";

export const POST = defineRoute({
  operationId: "predict",
  tag: "Predictions",
  summary: "Predict rows",
  description:
    "Uses the checkpoint in `checkpointId`, else the project's default checkpoint, else its current model. Accepts at most 10,000 rows and returns predictions in the input's order. If the input omits features that upstream projects predict, the service computes them.",
  auth: "project",
  effect: "predict",
  params: ProjectPath,
  body: PredictRequest,
  bodyLimitBytes: limits.predictBytes,
  namesField: "input",
  inThread: predictInThread,
  response: Prediction,
  errors: ["no_trained_model", "input_invalid", "checkpoint_not_found"],
  records: "none because it only computes",
  run: (ctx, { params, body }) => predict(ctx, { ...params, ...body }),
});
