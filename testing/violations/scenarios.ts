import { type Breaches, copy, insertChunk, set } from "./facts.ts";

const change = (id: string, assignments: string) => set("scenarios", id, assignments);
const chunks = (id: string, assignments: string) =>
  `update prediction_chunks set ${assignments} where scenario_id = '${id}' and series = 'prediction'`;
const begin = (jobId: string) => set("jobs", jobId, "status = 'Running', attempt = 1, started_at = now()");
const complete = (jobId: string) =>
  set("jobs", jobId, "status = 'Completed', progress = 100, finished_at = now()");
const giveResult = (id: string) => change(id, "row_count = 1, summary = '{}', input_key = 'input'");

export const scenarioBreaches: Breaches = {
  "a scenario has a title of 1 to 200 characters and a hex colour": [
    ["scenarios_title_length", (f) => change(f.scenarioId, "title = ''")],
    ["scenarios_title_length", (f) => change(f.scenarioId, "title = repeat('x', 201)")],
    ["scenarios_title_trimmed", (f) => change(f.scenarioId, "title = 'Cold '")],
    ["scenarios_color_form", (f) => change(f.scenarioId, "color = 'red'")],
    ["scenarios_color_form", (f) => change(f.scenarioId, "color = '#12345'")],
  ],
  "a scenario's job is its own, the latest of its retries": [
    ["scenarios_job_id_jobs_id_fk", (f) => change(f.scenarioId, "job_id = gen_random_uuid()")],
    ["scenarios_have_their_job", (f) => change(f.scenarioId, `job_id = '${f.completedJob}'`)],
    ["scenarios_have_their_job", (f) => change(f.unmadeScenario, `job_id = '${f.waitingJob}'`)],
    ["scenarios_have_their_job", (f) => copy("scenarios", f.waitingScenario, {})],
    [
      "jobs_are_their_scenarios_latest",
      (f) => copy("jobs", f.unmadeJob, { status: "Pending", finished_at: null, retry_of: f.unmadeJob }),
    ],
  ],
  "a scenario's checkpoint is its project's, its pinned ones are those projects'": [
    ["scenarios_checkpoint", (f) => change(f.scenarioId, `checkpoint_id = '${f.linked}'`)],
    [
      "scenario_checkpoints_checkpoint",
      (f) =>
        `update scenario_checkpoints set checkpoint_id = '${f.spare}' where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario that is being deleted holds no checkpoint and has a job for that": [
    ["scenarios_deleted_hold_nothing", (f) => change(f.leavingScenario, `checkpoint_id = '${f.spare}'`)],
    [
      "scenario_checkpoints_come_and_go_with_it",
      (f) =>
        `insert into scenario_checkpoints values ('${f.leavingScenario}', '${f.used.projectId}', '${f.linked}')`,
    ],
  ],
  "a scenario waits for checkpoints that are reserved or there; a Completed one has them all": [
    ["scenarios_checkpoint", (f) => change(f.scenarioId, "checkpoint_id = gen_random_uuid()")],
    ["scenario_checkpoints_checkpoint", (f) => `delete from checkpoints where id = '${f.linked}'`],
    ["scenarios_keep_their_checkpoint", (f) => change(f.scenarioId, "checkpoint_id = null")],
    ["scenarios_keep_their_checkpoint", (f) => change(f.waitingScenario, "checkpoint_id = null")],
    ["scenarios_keep_their_checkpoint", (f) => change(f.savingScenario, "checkpoint_id = null")],
    ["scenarios_begin_whole", (f) => copy("scenarios", f.waitingScenario, { checkpoint_id: null })],
    [
      "scenarios_complete_with_predictions",
      (f) =>
        `${begin(f.savingJob)}; ${giveResult(f.savingScenario)}; ${insertChunk(f.savingScenario, "prediction")}; ${complete(f.savingJob)}`,
    ],
    [
      "scenario_checkpoints_keep_their_checkpoint",
      (f) => `update scenario_checkpoints set checkpoint_id = null where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario is Completed if and only if it has its predictions": [
    ["jobs_legal_transition", (f) => set("jobs", f.completedJob, "status = 'Cancelled'")],
    ["scenarios_whole_result", (f) => change(f.scenarioId, "row_count = null")],
    ["scenarios_complete_with_predictions", (f) => `${begin(f.waitingJob)}; ${complete(f.waitingJob)}`],
    [
      "scenarios_complete_with_predictions",
      (f) => `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${complete(f.waitingJob)}`,
    ],
    ["scenarios_stay_as_created", (f) => change(f.scenarioId, "row_count = row_count + 1")],
    [
      "scenarios_stay_as_created",
      (f) => change(f.scenarioId, "row_count = null, summary = null, input_key = null"),
    ],
    ["scenarios_result_is_of_its_job", (f) => giveResult(f.waitingScenario)],
    ["scenarios_result_is_of_its_job", (f) => `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}`],
    ["prediction_chunks_come_while_it_runs", (f) => insertChunk(f.waitingScenario, "prediction")],
    ["prediction_chunks_come_while_it_runs", (f) => insertChunk(f.unmadeScenario, "prediction")],
    [
      "prediction_chunks_are_of_its_job",
      (f) => `${begin(f.waitingJob)}; ${insertChunk(f.waitingScenario, "prediction")}`,
    ],
    ["prediction_chunks_stay", (f) => `delete from prediction_chunks where scenario_id = '${f.scenarioId}'`],
    [
      "prediction_chunks_stay",
      (f) =>
        `update prediction_chunks set scenario_id = '${f.waitingScenario}' where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario's series are as long as each other and without a hole, each row once": [
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = -1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_count = 0, data = ''")],
    ["prediction_chunks_length", (f) => chunks(f.scenarioId, "row_count = row_count + 1")],
    ["prediction_chunks_series", (f) => chunks(f.scenarioId, "series = 'guess'")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = 1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "chunk = 1")],
    ["prediction_chunks_come_while_it_runs", (f) => insertChunk(f.scenarioId, "timestamp")],
    [
      "scenarios_complete_with_predictions",
      (f) =>
        `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${insertChunk(f.waitingScenario, "prediction")}; ${insertChunk(f.waitingScenario, "upper")}; ${complete(f.waitingJob)}`,
    ],
  ],
  "a scenario is made from another one of its project, or from none": [
    ["scenarios_base", (f) => change(f.scenarioId, `base_scenario_id = '${f.used.scenarioId}'`)],
    ["scenarios_not_own_base", (f) => change(f.scenarioId, `base_scenario_id = '${f.scenarioId}'`)],
  ],
};
