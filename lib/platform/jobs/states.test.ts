import { expect, it } from "vitest";
import { JobStatus } from "#lib/contract/jobs";
import { isRetryableState, isTerminal } from "./states.ts";

it("a job has ended if it is Completed, Failed or Cancelled", () => {
  expect(JobStatus.options.filter(isTerminal)).toEqual(["Completed", "Failed", "Cancelled"]);
});

it("failed and cancelled jobs can be retried", () => {
  expect(JobStatus.options.filter(isRetryableState)).toEqual(["Failed", "Cancelled"]);
});
