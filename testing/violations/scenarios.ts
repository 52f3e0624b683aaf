import { type Breaches, copy, type Facts, insertChunk, set } from "./facts.ts";

const change = (id: string, assignments: string) => set("scenarios", id, assignments);
const chunks = (id: string, assignments: string) =>
  `update prediction_chunks set ${assignments} where scenario_id = '${id}' and series = 'prediction'`;
const begin = (jobId: string) => set("jobs", jobId, "status = 'Running', attempt = 1, started_at = now()");
const complete = (jobId: string) =>
  set("jobs", jobId, "status = 'Completed', progress = 100, finished_at = now()");
const addCompared = (f: Facts, position: number, scenarioId: string) =>
  `insert into comparison_scenarios values ('${f.projectId}', '${f.comparisonId}', ${position}, '${scenarioId}')`;
const giveResult = (id: string) => change(id, "row_count = 1, summary = '{}', input_key = 'input'");

export const scenarioBreaches: Breaches = {
  "a scenario has a title of 1 to 200 characters and a hex colour": [
    ["scenarios_title_length", (f) => change(f.scenarioId, "title = ''")],
    ["scenarios_title_length", (f) => change(f.scenarioId, "title = repeat('x', 201)")],
    ["scenarios_title_trimmed", (f) => change(f.scenarioId, "title = 'Cold '")],
    ["scenarios_color_form", (f) => change(f.scenarioId, "color = 'red'")],
    ["scenarios_color_form", (f) => change(f.scenarioId, "color = '#12345'")],
  ],
  "a scenario has at most 10 distinct tags of 1 to 50 characters, and at most 5,000 characters of notes": [
    ["scenarios_tags_form", (f) => change(f.scenarioId, "tags = '{a,b,c,d,e,f,g,h,i,j,k}'")],
    ["scenarios_tags_form", (f) => change(f.scenarioId, "tags = '{a,a}'")],
    ["scenarios_tags_form", (f) => change(f.scenarioId, "tags = '{null}'")],
    ["scenarios_tags_form", (f) => change(f.scenarioId, `tags = '{""}'`)],
    ["scenarios_tags_form", (f) => change(f.scenarioId, `tags = '{" a"}'`)],
    ["scenarios_tags_form", (f) => change(f.scenarioId, "tags = array[repeat('x', 51)]")],
    ["scenarios_notes_length", (f) => change(f.scenarioId, "notes = repeat('x', 5001)")],
  ],
  "a scenario's job creates this scenario and has no retry": [
    ["scenarios_job_id_jobs_id_fk", (f) => change(f.scenarioId, "job_id = gen_random_uuid()")],
    ["scenarios_require_job_and_checkpoints", (f) => change(f.scenarioId, `job_id = '${f.completedJob}'`)],
    ["scenarios_require_job_and_checkpoints", (f) => change(f.unmadeScenario, `job_id = '${f.waitingJob}'`)],
    ["scenarios_require_job_and_checkpoints", (f) => copy("scenarios", f.waitingScenario, {})],
    [
      "jobs_latest_of_scenario",
      (f) => copy("jobs", f.unmadeJob, { status: "Pending", finished_at: null, retry_of: f.unmadeJob }),
    ],
  ],
  "a scenario's checkpoint belongs to its project, and its pinned checkpoints to their upstream projects": [
    ["scenarios_checkpoint", (f) => change(f.scenarioId, `checkpoint_id = '${f.linked}'`)],
    [
      "scenario_checkpoints_checkpoint",
      (f) =>
        `update scenario_checkpoints set checkpoint_id = '${f.spare}' where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario that is being deleted uses no checkpoint and has a deletion job that is not Completed": [
    [
      "scenarios_deleted_without_checkpoint",
      (f) => change(f.leavingScenario, `checkpoint_id = '${f.spare}'`),
    ],
    [
      "scenario_checkpoints_fixed_rows",
      (f) =>
        `insert into scenario_checkpoints values ('${f.leavingScenario}', '${f.used.projectId}', '${f.linked}')`,
    ],
  ],
  "an open scenario's checkpoints are reserved or ready, and a Completed scenario's checkpoints are ready": [
    ["scenarios_checkpoint", (f) => change(f.scenarioId, "checkpoint_id = gen_random_uuid()")],
    ["scenario_checkpoints_checkpoint", (f) => `delete from checkpoints where id = '${f.linked}'`],
    ["scenarios_keep_checkpoint", (f) => change(f.scenarioId, "checkpoint_id = null")],
    ["scenarios_keep_checkpoint", (f) => change(f.waitingScenario, "checkpoint_id = null")],
    ["scenarios_keep_checkpoint", (f) => change(f.savingScenario, "checkpoint_id = null")],
    ["scenarios_begin_without_result", (f) => copy("scenarios", f.waitingScenario, { checkpoint_id: null })],
    [
      "scenarios_complete_with_predictions",
      (f) =>
        `${begin(f.savingJob)}; ${giveResult(f.savingScenario)}; ${insertChunk(f.savingScenario, "prediction")}; ${complete(f.savingJob)}`,
    ],
    [
      "scenario_checkpoints_keep_checkpoint",
      (f) => `update scenario_checkpoints set checkpoint_id = null where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario is Completed if and only if it has its predictions": [
    ["jobs_legal_transition", (f) => set("jobs", f.completedJob, "status = 'Cancelled'")],
    ["scenarios_result_complete", (f) => change(f.scenarioId, "row_count = null")],
    ["scenarios_complete_with_predictions", (f) => `${begin(f.waitingJob)}; ${complete(f.waitingJob)}`],
    [
      "scenarios_complete_with_predictions",
      (f) => `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${complete(f.waitingJob)}`,
    ],
    ["scenarios_fixed_columns", (f) => change(f.scenarioId, "row_count = row_count + 1")],
    [
      "scenarios_fixed_columns",
      (f) => change(f.scenarioId, "row_count = null, summary = null, input_key = null"),
    ],
    ["scenarios_result_requires_completed_job", (f) => giveResult(f.waitingScenario)],
    [
      "scenarios_result_requires_completed_job",
      (f) => `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}`,
    ],
    ["prediction_chunks_require_running_job", (f) => insertChunk(f.waitingScenario, "prediction")],
    ["prediction_chunks_require_running_job", (f) => insertChunk(f.unmadeScenario, "prediction")],
    [
      "prediction_chunks_require_completed_job",
      (f) => `${begin(f.waitingJob)}; ${insertChunk(f.waitingScenario, "prediction")}`,
    ],
    [
      "prediction_chunks_never_change",
      (f) => `delete from prediction_chunks where scenario_id = '${f.scenarioId}'`,
    ],
    [
      "prediction_chunks_never_change",
      (f) =>
        `update prediction_chunks set scenario_id = '${f.waitingScenario}' where scenario_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario's series have equal lengths, without gaps or repeated rows": [
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = -1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_count = 0, data = ''")],
    ["prediction_chunks_length", (f) => chunks(f.scenarioId, "row_count = row_count + 1")],
    ["prediction_chunks_series", (f) => chunks(f.scenarioId, "series = 'guess'")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = 1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "chunk = 1")],
    ["prediction_chunks_require_running_job", (f) => insertChunk(f.scenarioId, "timestamp")],
    [
      "scenarios_complete_with_predictions",
      (f) =>
        `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${insertChunk(f.waitingScenario, "prediction")}; ${insertChunk(f.waitingScenario, "upper")}; ${complete(f.waitingJob)}`,
    ],
  ],
  "a saved comparison has a name of 1 to 100 characters, and a project has at most 100": [
    ["comparisons_slot_range", (f) => copy("comparisons", f.comparisonId, { slot: 101 })],
    ["comparisons_slot", (f) => copy("comparisons", f.comparisonId, {})],
    ["comparisons_name_length", (f) => set("comparisons", f.comparisonId, "name = ''")],
    ["comparisons_name_length", (f) => set("comparisons", f.comparisonId, "name = repeat('x', 101)")],
    ["comparisons_name_trimmed", (f) => set("comparisons", f.comparisonId, "name = 'Both '")],
  ],
  "a saved comparison holds at most 20 existing scenarios of its project, each once": [
    ["comparison_scenarios_scenario", (f) => addCompared(f, 2, f.used.scenarioId)],
    ["comparison_scenarios_exist", (f) => addCompared(f, 2, f.leavingScenario)],
    ["comparison_scenarios_once", (f) => addCompared(f, 2, f.scenarioId)],
    ["comparison_scenarios_position", (f) => addCompared(f, 20, f.waitingScenario)],
    [
      "comparison_scenarios_comparison",
      (f) =>
        `update comparison_scenarios set project_id = '${f.free}' where comparison_id = '${f.comparisonId}'`,
    ],
  ],
  "a scenario's base is another scenario of its project, or missing": [
    ["scenarios_base", (f) => change(f.scenarioId, `base_scenario_id = '${f.used.scenarioId}'`)],
    ["scenarios_not_own_base", (f) => change(f.scenarioId, `base_scenario_id = '${f.scenarioId}'`)],
  ],
};
