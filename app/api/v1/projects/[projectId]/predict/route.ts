import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { limits } from "#lib/contract/limits";
import { Prediction, PredictRequest } from "#lib/contract/predictions";
import { predict } from "#lib/domain/predictions/predict";
import { predictInThread } from "#lib/predictions/predict-in-thread";

export const POST = defineRoute({
  operationId: "predict",
  tag: "Predictions",
  summary: "Predict rows",
  description:
    "With the checkpoint named, else the project's default checkpoint, else its current model. At most 10,000 rows; predictions come in the input's order. Features that are predictions of other projects are computed where the input does not carry them.",
  auth: "project",
  params: ProjectPath,
  body: PredictRequest,
  bodyLimitBytes: limits.predictBytes,
  namesField: "input",
  inThread: predictInThread,
  response: Prediction,
  errors: ["no_trained_model", "input_invalid", "checkpoint_not_found"],
  run: (ctx, { params, body }) => predict(ctx, { ...params, ...body }),
});
