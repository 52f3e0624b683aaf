import type { JobStatus } from "#lib/contract/jobs";

/**
 * `Pending → Running → Completed | Failed | Cancelled` and `Pending → Cancelled`. A terminal state never changes: a
 * retry is a new job. `Running → Running` is another attempt. The database's trigger `jobs_legal_transition` holds the
 * same rule.
 */
const nextStates: Record<JobStatus, readonly JobStatus[]> = {
  Pending: ["Running", "Cancelled"],
  Running: ["Running", "Completed", "Failed", "Cancelled"],
  Completed: [],
  Failed: [],
  Cancelled: [],
};

export const terminalStates = ["Completed", "Failed", "Cancelled"] as const satisfies readonly JobStatus[];
export const openStates = ["Pending", "Running"] as const satisfies readonly JobStatus[];

export type TerminalState = (typeof terminalStates)[number];

export function canMove(from: JobStatus, to: JobStatus): boolean {
  return nextStates[from].includes(to);
}

export function isTerminal(status: JobStatus): status is TerminalState {
  return nextStates[status].length === 0;
}

/** Whether a job that ended like that may be repeated; its type may still forbid it. */
export function isRetryableState(status: JobStatus): boolean {
  return status === "Failed" || status === "Cancelled";
}
