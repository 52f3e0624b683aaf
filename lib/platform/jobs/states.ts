import type { JobStatus } from "#lib/contract/jobs";

export const openStates = ["Pending", "Running"] as const satisfies readonly JobStatus[];

type TerminalState = Exclude<JobStatus, (typeof openStates)[number]>;

/**
 * Returns whether a job has ended. A terminal state never changes: a retry is a new job. The trigger
 * `jobs_legal_transition` enforces the rule.
 */
export function isTerminal(status: JobStatus): status is TerminalState {
  return !openStates.some((open) => open === status);
}

/** Returns whether a job in this state can be retried. Its type may still forbid a retry. */
export function isRetryableState(status: JobStatus): boolean {
  return status === "Failed" || status === "Cancelled";
}
