import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { JobAccepted } from "#lib/contract/jobs";
import { TrainModel } from "#lib/contract/train-model";
import { requestTraining } from "#lib/domain/models/request-training";

export const POST = defineRoute({
  operationId: "trainModel",
  tag: "Models",
  summary: "Train a model",
  description:
    "Starts a `TrainModel` job on the project's dataset. Every field has a default. With `{}`, the job evaluates the algorithms, validates them on later rows and keeps the best model as the project's current model.",
  auth: "project",
  params: ProjectPath,
  body: TrainModel,
  response: JobAccepted,
  status: 202,
  idempotent: true,
  errors: ["no_dataset", "quota_exceeded"],
  records: ["model.training-requested", "job-updated"],
  run: (ctx, { params, body }) => requestTraining(ctx, { ...params, request: body }),
});
