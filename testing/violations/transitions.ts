import { JobStatus } from "#lib/contract/jobs";
import { canMove } from "#lib/jobs/states";
import { newId } from "#lib/platform/ids/new-id";
import { copy, type Facts, newScenario, set } from "./facts.ts";

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
  "a scenario's input": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.waitingScenario, "source = 'Generated', file_name = null"),
  ],
  "a scenario's creator": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.waitingScenario, "created_by = 'Eve'"),
  ],
  "the scenario that another one was made from": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.scenarioId, `base_scenario_id = '${f.otherScenarioId}'`),
  ],
  "a Completed scenario's summary": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.scenarioId, "summary = '{}'"),
  ],
  "a Completed scenario's warnings": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.scenarioId, `warnings = '[{"code": "x", "message": "y"}]'`),
  ],
  "a deleted scenario": [
    "scenarios_stay_as_created",
    (f) => set("scenarios", f.leavingScenario, "deleted_at = null"),
  ],
  "a Completed scenario's predictions": [
    "prediction_chunks_stay",
    (f) =>
      `update prediction_chunks set data = decode(repeat('00', 8 * row_count), 'hex') where scenario_id = '${f.scenarioId}'`,
  ],
  "which checkpoints a scenario pins": [
    "scenario_checkpoints_come_and_go_with_it",
    (f) => `delete from scenario_checkpoints where scenario_id = '${f.scenarioId}'`,
  ],
  "whose pinned checkpoint it is": [
    "scenario_checkpoints_never_move",
    (f) =>
      `update scenario_checkpoints set scenario_id = '${f.used.scenarioId}' where scenario_id = '${f.scenarioId}'`,
  ],
  "what a checkpoint was made with": [
    "checkpoint_dependencies_never_change",
    (f) =>
      `update checkpoint_dependencies set upstream_checkpoint_id = '${f.used.checkpointId}' where checkpoint_id = '${f.linkingMain}'`,
  ],
  "a model": ["models_never_change", (f) => set("models", f.modelId, "model_name = 'other'")],
  "what a job is about": [
    "jobs_never_go_back",
    (f) => set("jobs", f.waitingJob, `scenario_id = '${f.scenarioId}'`),
  ],
  "the end of a key's time": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "expires_at = now() + interval '1 minute'")}; ${set("api_keys", f.keyId, "expires_at = null")}`,
  ],
  "the time that is left to a key": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "expires_at = now() + interval '1 minute'")}; ${set("api_keys", f.keyId, "expires_at = now() + interval '2 minutes'")}`,
  ],
  "a key": ["api_keys_stay_revoked", (f) => set("api_keys", f.keyId, "hash = repeat('0', 64)")],
};

/** What is new begins like this and not otherwise: statement in words → the constraint, and the statement. */
export const beginnings: typeof transitions = {
  "a job that was never Pending": [
    "jobs_begin_pending",
    (f) => copy("jobs", f.reservationJob, { status: "Cancelled", finished_at: "2026-01-01T00:00:00Z" }),
  ],
  "a checkpoint that was never reserved": [
    "checkpoints_begin_reserved",
    (f) => {
      const [folder_name, place] = ["begun", { slot: 19, label: "Begun" }];
      const artifact_key = `projects/${f.projectId}/checkpoints/${folder_name}`;
      return copy("checkpoints", f.reserved, { ...place, folder_name, artifact_key, state: "ready" });
    },
  ],
  "a scenario of an unknown source": ["scenarios_source", (f) => newScenario(f, { source: "Guess" })],
  "a scenario that has its result": [
    "scenarios_begin_whole",
    (f) => newScenario(f, { row_count: 1, summary: {}, input_key: "input" }),
  ],
  "a scenario that was deleted": [
    "scenarios_begin_whole",
    (f) => newScenario(f, { checkpoint_id: null, deleted_at: "2026-01-01T00:00:00Z" }),
  ],
  "a scenario without the checkpoint of a project that its own depends on": [
    "scenarios_have_their_job",
    (f) => newScenario(f, {}),
  ],
  "a scenario with the checkpoint of a project that its own does not depend on": [
    "scenarios_have_their_job",
    (f) => newScenario(f, {}, [f.used.projectId, f.used.checkpointId], [f.projectId, f.checkpointId]),
  ],
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
        const before =
          from === "Pending" ? [] : hasBegun(from) && from !== "Running" ? ["Running" as const] : [];
        const steps = [...before, from, to].filter((status, index) => index > 0 || status !== "Pending");
        return [
          copy("jobs", facts.cancelled, { id, ...record("Pending", false) }),
          ...steps.map((status, index) => move(id, record(status, steps.slice(0, index + 1).some(hasBegun)))),
        ].join("; ");
      },
    })),
);

const move = (id: string, to: object) => `update jobs set (status, attempt, started_at,
  progress, finished_at, error_code, error_message) = (select status, attempt, started_at, progress, finished_at,
  error_code, error_message from jsonb_populate_record(null::jobs, '${JSON.stringify(to)}')) where id = '${id}'`;

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
