import { expect, test } from "vitest";
import { DomainError } from "#lib/errors/domain-error";
import { JobTimedOut } from "#lib/jobs/job-errors";
import { TrainingImpossible } from "#lib/ml/model/training-impossible";
import { ModelInvalid } from "#lib/ml/onnx/model-invalid";
import { logLevelOf } from "./failure-of.ts";

test.each<[unknown, "info" | "error"]>([
  [new ModelInvalid("The model has no output."), "info"],
  [new TrainingImpossible("The target has one value alone."), "info"],
  [new DomainError("input_invalid", "Row 3 is too short."), "info"],
  [new DomainError("service_unavailable", "The store is away."), "error"],
  [new JobTimedOut(60), "error"],
  [new TypeError("x is not a function"), "error"],
])("a job that failed by its input is no error of the service: %s", (error, level) => {
  expect(logLevelOf(error)).toBe(level);
});
