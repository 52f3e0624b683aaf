import { expect, it } from "vitest";
import { JobStatus } from "#lib/contract/jobs";
import { isRetryableState, isTerminal } from "./states.ts";

it("a job has ended where it is Completed, Failed or Cancelled", () => {
  expect(JobStatus.options.filter(isTerminal)).toEqual(["Completed", "Failed", "Cancelled"]);
});

it("offers a retry for what failed or was cancelled", () => {
  expect(JobStatus.options.filter(isRetryableState)).toEqual(["Failed", "Cancelled"]);
});
