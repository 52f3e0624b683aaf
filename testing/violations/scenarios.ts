import { type Breaches, copy, type Facts, insertChunk, newScenario, set } from "./facts.ts";

const change = (id: string, assignments: string) => set("scenarios", id, assignments);
/** The first run has the ID of its scenario. */
const changeRun = (id: string, assignments: string) => set("scenario_runs", id, assignments);
const chunks = (id: string, assignments: string) =>
  `update prediction_chunks set ${assignments} where run_id = '${id}' and series = 'prediction'`;
const release = `released = '{"upstreams": []}'`;
const begin = (jobId: string) => set("jobs", jobId, "status = 'Running', attempt = 1, started_at = now()");
const complete = (jobId: string) =>
  set("jobs", jobId, "status = 'Completed', progress = 100, finished_at = now()");
const addCompared = (f: Facts, position: number, scenarioId: string) =>
  `insert into comparison_scenarios values ('${f.projectId}', '${f.comparisonId}', ${position}, '${scenarioId}')`;
const addOverride = (f: Facts, changes: Record<string, unknown>) =>
  copy("scenario_overrides", f.overrideId, { slot: 2, ...changes });
const giveResult = (id: string) =>
  changeRun(id, "row_count = 1, summary = '{}', input_key = 'input', completed_at = now()");

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
  "a run's job creates its scenario and has no retry": [
    ["scenario_runs_job_id_jobs_id_fk", (f) => changeRun(f.scenarioId, "job_id = gen_random_uuid()")],
    [
      "scenario_runs_require_job_and_checkpoints",
      (f) => changeRun(f.scenarioId, `job_id = '${f.completedJob}'`),
    ],
    [
      "scenario_runs_require_job_and_checkpoints",
      (f) => changeRun(f.unmadeScenario, `job_id = '${f.waitingJob}'`),
    ],
    [
      "jobs_latest_of_run",
      (f) => copy("jobs", f.unmadeJob, { status: "Pending", finished_at: null, retry_of: f.unmadeJob }),
    ],
  ],
  "a run's checkpoint belongs to its project, and its pinned checkpoints to their upstream projects": [
    ["scenario_runs_checkpoint", (f) => changeRun(f.scenarioId, `checkpoint_id = '${f.linked}'`)],
    [
      "scenario_checkpoints_checkpoint",
      (f) => `update scenario_checkpoints set checkpoint_id = '${f.spare}' where run_id = '${f.scenarioId}'`,
    ],
  ],
  "a scenario that is being deleted uses no checkpoint and has a deletion job that is not Completed": [
    [
      "scenarios_deleted_without_checkpoint",
      (f) => changeRun(f.leavingScenario, `checkpoint_id = '${f.spare}'`),
    ],
    ["scenarios_deleted_without_checkpoint", (f) => change(f.scenarioId, "deleted_at = now()")],
    [
      "scenario_checkpoints_fixed_rows",
      (f) =>
        `insert into scenario_checkpoints values ('${f.leavingScenario}', '${f.used.projectId}', '${f.linked}')`,
    ],
  ],
  "an open run's checkpoints are reserved or ready, and those of the run that a scenario shows are ready": [
    ["scenario_runs_checkpoint", (f) => changeRun(f.scenarioId, "checkpoint_id = gen_random_uuid()")],
    ["scenario_checkpoints_checkpoint", (f) => `delete from checkpoints where id = '${f.linked}'`],
    ["scenario_runs_keep_checkpoint", (f) => changeRun(f.scenarioId, "checkpoint_id = null")],
    ["scenario_runs_keep_checkpoint", (f) => changeRun(f.waitingScenario, "checkpoint_id = null")],
    ["scenario_runs_keep_checkpoint", (f) => changeRun(f.savingScenario, "checkpoint_id = null")],
    ["scenario_runs_begin_without_result", (f) => newScenario(f, { checkpoint_id: null })],
    [
      "scenario_runs_complete_with_predictions",
      (f) =>
        `${begin(f.savingJob)}; ${giveResult(f.savingScenario)}; ${insertChunk(f.savingScenario, "prediction")}; ${complete(f.savingJob)}`,
    ],
    [
      "scenario_checkpoints_keep_checkpoint",
      (f) => `update scenario_checkpoints set checkpoint_id = null where run_id = '${f.scenarioId}'`,
    ],
  ],
  "a run is Completed if and only if it has its predictions": [
    ["jobs_legal_transition", (f) => set("jobs", f.completedJob, "status = 'Cancelled'")],
    ["scenario_runs_result_complete", (f) => changeRun(f.scenarioId, "row_count = null")],
    ["scenario_runs_complete_with_predictions", (f) => `${begin(f.waitingJob)}; ${complete(f.waitingJob)}`],
    [
      "scenario_runs_complete_with_predictions",
      (f) => `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${complete(f.waitingJob)}`,
    ],
    ["scenario_runs_fixed_columns", (f) => changeRun(f.scenarioId, "row_count = row_count + 1")],
    [
      "scenario_runs_fixed_columns",
      (f) =>
        changeRun(f.scenarioId, "row_count = null, summary = null, input_key = null, completed_at = null"),
    ],
    ["scenario_runs_result_requires_completed_job", (f) => giveResult(f.waitingScenario)],
    [
      "scenario_runs_result_requires_completed_job",
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
      (f) => `delete from prediction_chunks where run_id = '${f.scenarioId}'`,
    ],
    [
      "prediction_chunks_never_change",
      (f) => `update prediction_chunks set run_id = '${f.waitingScenario}' where run_id = '${f.scenarioId}'`,
    ],
  ],
  "a run's series have equal lengths, without gaps or repeated rows": [
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = -1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_count = 0, data = ''")],
    ["prediction_chunks_length", (f) => chunks(f.scenarioId, "row_count = row_count + 1")],
    ["prediction_chunks_series", (f) => chunks(f.scenarioId, "series = 'guess'")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "row_start = 1")],
    ["prediction_chunks_rows", (f) => chunks(f.scenarioId, "chunk = 1")],
    ["prediction_chunks_require_running_job", (f) => insertChunk(f.scenarioId, "timestamp")],
    [
      "scenario_runs_complete_with_predictions",
      (f) =>
        `${begin(f.waitingJob)}; ${giveResult(f.waitingScenario)}; ${insertChunk(f.waitingScenario, "prediction")}; ${insertChunk(f.waitingScenario, "upper")}; ${complete(f.waitingJob)}`,
    ],
  ],
  "a scenario shows its last completed run, and earlier ones have released their checkpoints": [
    ["scenarios_shown_run", (f) => change(f.scenarioId, `shown_run_id = '${f.otherScenarioId}'`)],
    ["scenarios_show_last_run", (f) => changeRun(f.scenarioId, `${release}, checkpoint_id = null`)],
    ["scenario_runs_released", (f) => changeRun(f.scenarioId, release)],
    ["scenario_runs_released", (f) => changeRun(f.waitingScenario, `${release}, checkpoint_id = null`)],
    ["scenario_runs_one_open", (f) => copy("scenario_runs", f.waitingScenario, {})],
    ["scenario_runs_scenario", (f) => newScenario(f, { scenario_id: f.used.scenarioId })],
  ],
  "an override has a span, a finite value and a reason of 1 to 500 characters, and a scenario has at most 100 active ones":
    [
      ["scenario_overrides_slot_range", (f) => addOverride(f, { slot: 101 })],
      ["scenario_overrides_slot", (f) => addOverride(f, { slot: 1 })],
      ["scenario_overrides_span", (f) => addOverride(f, { to_time: "2000-01-01" })],
      ["scenario_overrides_operation", (f) => addOverride(f, { operation: "divide" })],
      ["scenario_overrides_value", (f) => addOverride(f, { value: "NaN" })],
      ["scenario_overrides_value", (f) => addOverride(f, { value: "-infinity" })],
      ["scenario_overrides_factor", (f) => addOverride(f, { operation: "multiply", value: -1 })],
      ["scenario_overrides_reason_length", (f) => addOverride(f, { reason: "" })],
      ["scenario_overrides_reason_length", (f) => addOverride(f, { reason: "x".repeat(501) })],
      ["scenario_overrides_reason_trimmed", (f) => addOverride(f, { reason: "Fair " })],
      ["scenario_overrides_end", (f) => addOverride(f, { ended_at: "2100-01-01" })],
      ["scenario_overrides_end_known", (f) => addOverride(f, { ended_known_until: "2026-01-01" })],
      ["scenario_overrides_end_order", (f) => addOverride(f, { ended_at: "2000-01-01", ended_by: "user" })],
    ],
  "an override belongs to a scenario of its project": [
    ["scenario_overrides_scenario", (f) => addOverride(f, { project_id: f.free })],
  ],
  "a scenario has a summary with overrides if and only if it has active overrides": [
    ["scenarios_summary_of_overrides", (f) => change(f.scenarioId, "effective_summary = null")],
    ["scenarios_summary_of_overrides", (f) => change(f.otherScenarioId, "effective_summary = '{}'")],
    ["scenarios_summary_of_overrides", (f) => addOverride(f, { scenario_id: f.otherScenarioId })],
    [
      "scenarios_summary_of_overrides",
      (f) => set("scenario_overrides", f.overrideId, "ended_at = now(), ended_by = 'user'"),
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
