import { expect, test } from "vitest";
import { missingValue } from "#lib/engine/csv/cell-issues";
import { InputInvalid } from "#lib/engine/inference/predict-table";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { DomainError } from "#lib/platform/errors/domain-error";
import { JobTimedOut } from "#lib/platform/jobs/job-errors";
import { lastFailure, logLevelOf, permanentFailure } from "./failures.ts";

const unreadable = new InputInvalid({
  issues: [missingValue(2, "price", "number"), missingValue(5, "price", "number")],
  issueCount: 3,
  warnings: [],
  table: { rowCount: 0, columns: [] },
});

test.each<[unknown, "info" | "error"]>([
  [new ModelInvalid("The model has no output."), "info"],
  [new TrainingImpossible("The target has one value alone."), "info"],
  [new DomainError("input_invalid", "Row 3 is too short."), "info"],
  [new DomainError("service_unavailable", "The store is away."), "error"],
  [unreadable, "info"],
  [new JobTimedOut(60), "error"],
  [new TypeError("x is not a function"), "error"],
])("logs failures by the input as info and all others as error: %s", (error, level) => {
  expect(logLevelOf(error)).toBe(level);
});

const job = { id: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f", requestId: "request-1" };

test("an internal failure names the request, whose details are in the log, and no text of the error", () => {
  const { code, message } = lastFailure(new TypeError("x is not a function"), job);
  expect([code, message]).toEqual([
    "internal_error",
    "An internal error occurred. Retry the job. If the error persists, report the request ID request-1.",
  ]);
  expect(lastFailure(new Error("x"), { ...job, requestId: null }).message).toContain(job.id);
});

test("retries a job that found too many others at work, and names the reason after its last attempt", () => {
  const busy = new DomainError("service_unavailable", "Too many large requests are in progress.");
  expect(permanentFailure(busy, job)).toBeNull();
  expect(lastFailure(busy, job).code).toBe("service_unavailable");
  expect(permanentFailure(new DomainError("input_invalid", "Row 3 is too short."), job)?.code).toBe(
    "input_invalid",
  );
});

test("a model's failure names the request if only the log has the reason", () => {
  const logged = new ModelInvalid("The model cannot be run.", { isReasonLogged: true });
  const advice = "If the error persists, report the request ID request-1.";
  expect(permanentFailure(logged, job)?.message).toBe(`The model cannot be run. ${advice}`);
  expect(permanentFailure(new ModelInvalid("The model has no output."), job)?.message).not.toContain("ID");
});

test("a table that the model cannot read ends the job as input_invalid, with its issues", () => {
  expect(permanentFailure(unreadable, job)).toEqual({
    code: "input_invalid",
    message: `The input has 3 issues: Row 2 has no value in column "price".
- Row 5 has no value in column "price".
- 1 more issue is not listed`,
  });
});
