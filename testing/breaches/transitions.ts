import { JobStatus } from "#lib/contract/jobs";
import { newId } from "#lib/ids/new-id";
import { canMove } from "#lib/jobs/states";
import { copy, type Facts, set } from "./facts.ts";

/** What was, never becomes something else: statement in words → the constraint that refuses it, and the statement. */
export const transitions: Record<string, [refusedBy: string, statement: (facts: Facts) => string]> = {
  "a checkpoint's model": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.spare, "model_name = 'other'"),
  ],
  "a checkpoint's project": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.spare, `project_id = '${f.free}'`),
  ],
  "a checkpoint's folder": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.spare, "folder_name = 'other'"),
  ],
  "a checkpoint's creator": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.spare, "created_by = 'Eve'"),
  ],
  "a linked checkpoint's main one": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.linked, `linked_checkpoint_id = '${f.checkpointId}'`),
  ],
  "a deleted checkpoint": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.deleting, "state = 'ready', slot = 20"),
  ],
  "a reservation that nobody may delete": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.reserved, "state = 'deleting', slot = null"),
  ],
  "a deleted project": ["projects_leave_alone", (f) => set("projects", f.gone, "deleted_at = null")],
  "the message of a job that has ended": [
    "jobs_legal_transition",
    (f) => set("jobs", f.completedJob, "message = 'other'"),
  ],
  "the work of a job": ["jobs_never_go_back", (f) => set("jobs", f.waitingJob, "payload = '{}'")],
  "the number of a job's attempts": [
    "jobs_never_go_back",
    (f) => `${begin(f.waitingJob, 2)}; ${set("jobs", f.waitingJob, "attempt = 1")}`,
  ],
  "the progress within an attempt": [
    "jobs_never_go_back",
    (f) => `${begin(f.waitingJob, 1)}; ${set("jobs", f.waitingJob, "progress = 49")}`,
  ],
  "a wish to cancel": [
    "jobs_never_go_back",
    (f) =>
      `${set("jobs", f.waitingJob, "cancel_requested = true")}; ${set("jobs", f.waitingJob, "cancel_requested = false")}`,
  ],
  "a revoked key": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "revoked_at = now()")}; ${set("api_keys", f.keyId, "revoked_at = null")}`,
  ],
  "the expiry that a key was created with": [
    "api_keys_stay_revoked",
    (f) => set("api_keys", f.keyId, "created_to_expire_at = now()"),
  ],
  "a scenario's checkpoint": [
    "scenarios_keep_their_checkpoint",
    (f) => set("scenarios", f.scenarioId, `checkpoint_id = '${f.spare}'`),
  ],
  "a key": ["api_keys_stay_revoked", (f) => set("api_keys", f.keyId, "hash = repeat('0', 64)")],
};

const begin = (id: string, attempt: number) =>
  set("jobs", id, `status = 'Running', attempt = ${attempt}, started_at = now(), progress = 50`);

/** Every pair of states of a job, and a statement that brings one from the first to the second. */
export const jobMoves = JobStatus.options.flatMap((from) =>
  JobStatus.options
    .filter((to) => to !== from)
    .map((to) => ({
      from,
      to,
      allowed: canMove(from, to),
      statement(facts: Facts): string {
        const id = newId();
        return `${copy("jobs", facts.cancelled, { id, ...record(from, hasBegun(from)) })}; update jobs set (status, attempt, started_at,
          progress, finished_at, error_code, error_message) = (select status, attempt, started_at, progress, finished_at,
          error_code, error_message from jsonb_populate_record(null::jobs, '${JSON.stringify(record(to, hasBegun(from) || hasBegun(to)))}')) where id = '${id}'`;
      },
    })),
);

const hasBegun = (status: JobStatus) => status === "Running" || status === "Completed" || status === "Failed";

/** What a job's record tells in a state. */
function record(status: JobStatus, begun: boolean) {
  const ended = status !== "Running" && status !== "Pending";
  const at = "2026-01-01T00:00:00Z";
  return {
    ...{ type: "DeleteScenario", status, attempt: begun ? 1 : 0, started_at: begun ? at : null },
    ...{ progress: status === "Completed" ? 100 : 0, finished_at: ended ? at : null },
    error_code: status === "Failed" ? "internal_error" : null,
    error_message: status === "Failed" ? "Something went wrong." : null,
  };
}
