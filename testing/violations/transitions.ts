import { JobStatus } from "#lib/contract/jobs";
import { newId } from "#lib/platform/ids/new-id";
import { copy, type Facts, newScenario, set } from "./facts.ts";

/** Properties that never change, each with a constraint and a statement that the constraint rejects. */
export const transitions: Record<string, [rejectedBy: string, statement: (facts: Facts) => string]> = {
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
  "a linked checkpoint's main checkpoint": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.linked, `linked_checkpoint_id = '${f.checkpointId}'`),
  ],
  "a checkpoint that is being deleted": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.deleting, "state = 'ready', slot = 20"),
  ],
  "a reserved checkpoint that is not ready": [
    "checkpoints_are_snapshots",
    (f) => set("checkpoints", f.reserved, "state = 'deleting', slot = null"),
  ],
  "a version of a dataset": [
    "datasets_never_change",
    (f) => `update datasets set file_name = 'other' where project_id = '${f.projectId}'`,
  ],
  "a deleted project": [
    "projects_deleted_without_dependencies",
    (f) => set("projects", f.gone, "deleted_at = null"),
  ],
  "the message of a finished job": [
    "jobs_legal_transition",
    (f) => set("jobs", f.completedJob, "message = 'other'"),
  ],
  "the payload of a job": ["jobs_never_go_back", (f) => set("jobs", f.waitingJob, "payload = '{}'")],
  "the attempt number of a job": [
    "jobs_never_go_back",
    (f) => `${begin(f.waitingJob, 2)}; ${set("jobs", f.waitingJob, "attempt = 1")}`,
  ],
  "the progress within an attempt": [
    "jobs_never_go_back",
    (f) => `${begin(f.waitingJob, 1)}; ${set("jobs", f.waitingJob, "progress = 49")}`,
  ],
  "a request to cancel": [
    "jobs_never_go_back",
    (f) =>
      `${set("jobs", f.waitingJob, "cancel_requested = true")}; ${set("jobs", f.waitingJob, "cancel_requested = false")}`,
  ],
  "a revoked key": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "revoked_at = now()")}; ${set("api_keys", f.keyId, "revoked_at = null")}`,
  ],
  "the initial expiry of a key": [
    "api_keys_stay_revoked",
    (f) => set("api_keys", f.keyId, "created_to_expire_at = now()"),
  ],
  "a run's checkpoint": [
    "scenario_runs_keep_checkpoint",
    (f) => set("scenario_runs", f.scenarioId, `checkpoint_id = '${f.spare}'`),
  ],
  "a scenario's input": [
    "scenarios_fixed_columns",
    (f) => set("scenarios", f.waitingScenario, "source = 'Generated', file_name = null"),
  ],
  "a scenario's creator": [
    "scenarios_fixed_columns",
    (f) => set("scenarios", f.waitingScenario, "created_by = 'Eve'"),
  ],
  "a scenario's base": [
    "scenarios_fixed_columns",
    (f) => set("scenarios", f.scenarioId, `base_scenario_id = '${f.otherScenarioId}'`),
  ],
  "a Completed run's summary": [
    "scenario_runs_fixed_columns",
    (f) => set("scenario_runs", f.scenarioId, "summary = '{}'"),
  ],
  "the scenario of a run": [
    "scenario_runs_fixed_columns",
    (f) => set("scenario_runs", f.scenarioId, `scenario_id = '${f.otherScenarioId}'`),
  ],
  "the time of a run's completion": [
    "scenario_runs_fixed_columns",
    (f) => set("scenario_runs", f.scenarioId, "completed_at = now()"),
  ],
  "a Completed run's warnings": [
    "scenario_runs_fixed_columns",
    (f) => set("scenario_runs", f.scenarioId, `warnings = '[{"code": "x", "message": "y"}]'`),
  ],
  "a deleted scenario": [
    "scenarios_fixed_columns",
    (f) => set("scenarios", f.leavingScenario, "deleted_at = null"),
  ],
  "a Completed run's predictions": [
    "prediction_chunks_never_change",
    (f) =>
      `update prediction_chunks set data = decode(repeat('00', 8 * row_count), 'hex') where run_id = '${f.scenarioId}'`,
  ],
  "the pinned checkpoints of a run": [
    "scenario_checkpoints_fixed_rows",
    (f) => `delete from scenario_checkpoints where run_id = '${f.scenarioId}'`,
  ],
  "the run of a pinned checkpoint": [
    "scenario_checkpoints_fixed_key",
    (f) => `update scenario_checkpoints set run_id = '${f.used.scenarioId}' where run_id = '${f.scenarioId}'`,
  ],
  "the upstream checkpoints of a checkpoint": [
    "checkpoint_dependencies_never_change",
    (f) =>
      `update checkpoint_dependencies set upstream_checkpoint_id = '${f.used.checkpointId}' where checkpoint_id = '${f.linkingMain}'`,
  ],
  "a model": ["models_never_change", (f) => set("models", f.modelId, "model_name = 'other'")],
  "the subject of a job": [
    "jobs_never_go_back",
    (f) => set("jobs", f.waitingJob, `scenario_id = '${f.scenarioId}'`),
  ],
  "the expiry of a key (removed)": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "expires_at = now() + interval '1 minute'")}; ${set("api_keys", f.keyId, "expires_at = null")}`,
  ],
  "the expiry of a key (postponed)": [
    "api_keys_stay_revoked",
    (f) =>
      `${set("api_keys", f.keyId, "expires_at = now() + interval '1 minute'")}; ${set("api_keys", f.keyId, "expires_at = now() + interval '2 minutes'")}`,
  ],
  "the hash of a key": ["api_keys_stay_revoked", (f) => set("api_keys", f.keyId, "hash = repeat('0', 64)")],
};

/** Forbidden initial states, each with a constraint and a statement that the constraint rejects. */
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
  "a scenario with an unknown source": ["scenarios_source", (f) => newScenario(f, { source: "Guess" })],
  "a run with a result": [
    "scenario_runs_begin_without_result",
    (f) =>
      newScenario(f, {
        row_count: 1,
        summary: {},
        input_key: "input",
        completed_at: "2026-01-01T00:00:00Z",
      }),
  ],
  "a deleted scenario": [
    "scenarios_begin_undeleted",
    (f) => newScenario(f, { checkpoint_id: null, deleted_at: "2026-01-01T00:00:00Z" }),
  ],
  "a run without a pinned checkpoint of an upstream project": [
    "scenario_runs_require_job_and_checkpoints",
    (f) => newScenario(f, {}),
  ],
  "a run with a pinned checkpoint of a project that is not upstream": [
    "scenario_runs_require_job_and_checkpoints",
    (f) => newScenario(f, {}, [f.used.projectId, f.used.checkpointId], [f.projectId, f.checkpointId]),
  ],
};

const begin = (id: string, attempt: number) =>
  set("jobs", id, `status = 'Running', attempt = ${attempt}, started_at = now(), progress = 50`);

/** Legal transitions: `Pending → Running → Completed | Failed | Cancelled` and `Pending → Cancelled`. */
const nextStates: Record<JobStatus, readonly JobStatus[]> = {
  Pending: ["Running", "Cancelled"],
  Running: ["Completed", "Failed", "Cancelled"],
  Completed: [],
  Failed: [],
  Cancelled: [],
};

/** Every pair of job states, and a statement that changes a job from the first state to the second. */
export const jobMoves = JobStatus.options.flatMap((from) =>
  JobStatus.options
    .filter((to) => to !== from)
    .map((to) => ({
      from,
      to,
      allowed: nextStates[from].includes(to),
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

/** Returns the columns of a job in a state. */
function record(status: JobStatus, begun: boolean) {
  const ended = status !== "Running" && status !== "Pending";
  const at = "2026-01-01T00:00:00Z";
  return {
    type: "DeleteScenario",
    status,
    attempt: begun ? 1 : 0,
    started_at: begun ? at : null,
    progress: status === "Completed" ? 100 : 0,
    finished_at: ended ? at : null,
    error_code: status === "Failed" ? "internal_error" : null,
    error_message: status === "Failed" ? "Something went wrong." : null,
  };
}
