import { expect, test } from "vitest";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { DomainError } from "#lib/platform/errors/domain-error";
import { JobTimedOut } from "#lib/platform/jobs/job-errors";
import { logLevelOf } from "./failure-of.ts";

test.each<[unknown, "info" | "error"]>([
  [new ModelInvalid("The model has no output."), "info"],
  [new TrainingImpossible("The target has one value alone."), "info"],
  [new DomainError("input_invalid", "Row 3 is too short."), "info"],
  [new DomainError("service_unavailable", "The store is away."), "error"],
  [new JobTimedOut(60), "error"],
  [new TypeError("x is not a function"), "error"],
])("logs failures by the input as info and all others as error: %s", (error, level) => {
  expect(logLevelOf(error)).toBe(level);
});
