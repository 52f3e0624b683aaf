import { type Breaches, copy, set } from "./facts.ts";

const change = (id: string, assignments: string) => set("jobs", id, assignments);
const begun = "status = 'Running', attempt = 1, started_at = now()";
const event = (name: string, projectId: string, payload: string) =>
  `insert into outbox_events (project_id, name, payload) values ('${projectId}', '${name}', '${payload}')`;

export const jobBreaches: Breaches = {
  "a job has one of the seven types and one of the five states": [
    ["jobs_type", (f) => copy("jobs", f.reservationJob, { type: "Guess" })],
    ["jobs_status", (f) => copy("jobs", f.completedJob, { status: "Paused", finished_at: null })],
  ],
  "a job's times, attempts, progress and error match its status": [
    ["jobs_finished", (f) => change(f.reservationJob, "finished_at = now()")],
    ["jobs_progress", (f) => change(f.reservationJob, "progress = 101")],
    ["jobs_progress", (f) => copy("jobs", f.reservationJob, { progress: -1 })],
    [
      "jobs_completed",
      (f) =>
        `${change(f.reservationJob, begun)}; ${change(f.reservationJob, "status = 'Completed', finished_at = now(), progress = 99")}`,
    ],
    ["jobs_begun", (f) => change(f.reservationJob, "status = 'Running'")],
    ["jobs_attempts", (f) => change(f.reservationJob, "failures = 1")],
    ["jobs_error", (f) => change(f.reservationJob, "error_code = 'internal_error', error_message = 'x'")],
    ["jobs_rows", (f) => change(f.reservationJob, "rows_total = 1, rows_processed = 2")],
  ],
  "a retry repeats a Failed or Cancelled job, which has at most one open or Completed retry": [
    ["jobs_retry_failed_job", (f) => copy("jobs", f.reservationJob, { retry_of: f.completedJob })],
    ["jobs_retry_failed_job", (f) => copy("jobs", f.waitingJob, { retry_of: f.cancelled })],
    [
      "jobs_retry_failed_job",
      (f) => copy("jobs", f.reservationJob, { retry_of: f.cancelled, project_id: f.free }),
    ],
    [
      "jobs_retried_once",
      (f) =>
        Array(2)
          .fill(0)
          .map(() => copy("jobs", f.reservationJob, { retry_of: f.cancelled }))
          .join("; "),
    ],
  ],
  "a Pending job has an open job of pg-boss": [[null, (f) => copy("jobs", f.reservationJob, {})]],
  "a part in pg-boss belongs to a training that has begun and has not ended": [
    [
      null,
      (f) =>
        `insert into pgboss.job (name, data) values ('parts', '{"jobId": "${f.waitingJob}", "projectId": "${f.projectId}"}')`,
    ],
  ],
  "the subject of an open job exists, unless the job is being cancelled": [
    [null, (f) => `delete from checkpoints where id = '${f.reserved}'`],
    ["jobs_never_go_back", (f) => change(f.reservationJob, "type = 'DeleteCheckpoint'")],
  ],
  "the result of a Completed job exists or was deleted later": [
    ["scenario_runs_checkpoint", (f) => `delete from checkpoints where id = '${f.checkpointId}'`],
    [null, (f) => `delete from scenarios where id = '${f.scenarioId}'`],
  ],
  "a Failed or Cancelled job leaves no reserved checkpoint and no model": [
    [null, (f) => change(f.reservationJob, "status = 'Cancelled', finished_at = now()")],
  ],
  "a job creates at most one model": [
    [
      "models_of_job",
      (f) => [f.modelId, f.modelId].map((id) => copy("models", id, { job_id: f.removal })).join("; "),
    ],
  ],
  "an event has its project's id, a name of the contract, a unique id and an existing job": [
    [
      "outbox_events_name",
      (f) => event("guess", f.projectId, `{"eventId": "1", "entityId": "2", "projectId": "${f.projectId}"}`),
    ],
    [
      "outbox_events_payload",
      (f) => event("job-updated", f.projectId, `{"eventId": "1", "entityId": "2", "projectId": "${f.free}"}`),
    ],
    [
      "outbox_events_payload",
      (f) => event("job-updated", f.projectId, `{"entityId": "2", "projectId": "${f.projectId}"}`),
    ],
    [
      null,
      () =>
        "insert into outbox_events (project_id, name, payload) select project_id, name, payload from outbox_events limit 1",
    ],
  ],
  "a job's end and its result have exactly one event each": [
    [null, (f) => `delete from outbox_events where payload ->> 'jobId' = '${f.completedJob}'`],
  ],
};
