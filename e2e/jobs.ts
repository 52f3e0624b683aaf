import { type APIRequestContext, expect } from "@playwright/test";
import type { Job } from "#lib/contract/jobs";
import { data } from "./signed-in.ts";

/** Waits until a job is completed. Most jobs of these tests end within a second. */
export async function expectCompleted(read: () => Promise<Job>): Promise<void> {
  const status = async () => (await read()).status;
  await expect.poll(status, { timeout: 120_000, intervals: [100] }).toBe("Completed");
}

/** Sends a request that starts a job, and returns its response after the job is completed. */
export async function finish<T = unknown>(
  request: APIRequestContext,
  path: string,
  body: unknown,
): Promise<T & { jobId: string }> {
  const accepted = await data<T & { jobId: string }>(request, "post", path, body);
  await expectCompleted(() => data<Job>(request, "get", `/jobs/${accepted.jobId}`));
  return accepted;
}
