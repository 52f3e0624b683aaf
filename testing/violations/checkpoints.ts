import { type Breaches, copy, type Facts, set } from "./facts.ts";

/** Returns a statement that reserves another checkpoint, with a separate slot, label and folder. */
function reserve(f: Facts, changes: Record<string, unknown>): string {
  const folder = String(changes.folder_name ?? "another");
  const own = { slot: 19, label: "Another", folder_name: folder };
  const artifact_key = `projects/${f.projectId}/checkpoints/${folder}`;
  return copy("checkpoints", f.reserved, { ...own, artifact_key, ...changes });
}
const change = (id: string, assignments: string) => set("checkpoints", id, assignments);

export const checkpointBreaches: Breaches = {
  "a project has at most 20 checkpoints, including reserved ones, each in a separate slot": [
    ["checkpoints_slot_range", (f) => reserve(f, { slot: 21 })],
    ["checkpoints_slot_range", (f) => reserve(f, { slot: 0 })],
    ["checkpoints_slot", (f) => reserve(f, { slot: 1 })],
  ],
  "labels are unique within the project": [
    ["checkpoints_label", (f) => `${reserve(f, { label: "Same" })}; ${change(f.spare, "label = 'Same'")}`],
  ],
  "a label has 2 to 100 characters and no leading or trailing white space": [
    ["checkpoints_label_length", (f) => change(f.spare, "label = 'x'")],
    ["checkpoints_label_length", (f) => change(f.spare, "label = repeat('x', 101)")],
    ["checkpoints_label_trimmed", (f) => change(f.spare, "label = ' Heat'")],
  ],
  "a folder name is a slug of at most 50 characters and unique within the project": [
    ["checkpoints_folder_form", (f) => reserve(f, { folder_name: "" })],
    ["checkpoints_folder_form", (f) => reserve(f, { folder_name: "../up" })],
    ["checkpoints_folder_form", (f) => reserve(f, { folder_name: "x".repeat(51) })],
    ["checkpoints_folder", (f) => `${reserve(f, {})}; ${reserve(f, { slot: 18, label: "Still another" })}`],
  ],
  "a checkpoint's artifact key starts with the path of its folder": [
    ["checkpoints_artifact_folder", (f) => reserve(f, { artifact_key: "projects/elsewhere" })],
  ],
  "a project with ready checkpoints has exactly one default": [
    ["checkpoints_one_default", (f) => change(f.spare, "is_default = true")],
    ["checkpoints_require_default", (f) => change(f.checkpointId, "is_default = false")],
    [
      "checkpoints_require_default",
      (f) => `update checkpoints set is_default = false where project_id = '${f.used.projectId}'`,
    ],
  ],
  "only a ready checkpoint is the default": [
    [
      "checkpoints_default_ready",
      (f) => `${change(f.checkpointId, "is_default = false")}; ${change(f.reserved, "is_default = true")}`,
    ],
  ],
  "a checkpoint is reserved, ready or being deleted, and has a slot unless it is being deleted": [
    ["checkpoints_state", (f) => reserve(f, { state: "lost" })],
    ["checkpoints_slot_counts", (f) => reserve(f, { slot: null })],
    ["checkpoints_slot_counts", (f) => change(f.spare, "state = 'deleting'")],
  ],
  "a reserved checkpoint has exactly one open job": [
    [null, (f) => reserve(f, {})],
    ["checkpoints_are_snapshots", (f) => change(f.spare, "state = 'reserved'")],
  ],
  "a checkpoint that is being deleted has a deletion job that is not Completed": [
    [null, (f) => change(f.spare, "state = 'deleting', slot = null")],
  ],
  "no scenario uses a checkpoint that is being deleted": [
    ["checkpoints_in_use", (f) => change(f.linkingMain, "state = 'deleting', slot = null")],
    ["checkpoints_in_use", (f) => change(f.linked, "state = 'deleting', slot = null")],
    [
      "scenario_runs_checkpoint",
      (f) => set("scenario_runs", f.scenarioId, `checkpoint_id = '${f.deleting}'`),
    ],
    [
      "scenario_checkpoints_checkpoint",
      (f) =>
        `update scenario_checkpoints set upstream_project_id = '${f.projectId}', checkpoint_id = '${f.deleting}' where run_id = '${f.scenarioId}'`,
    ],
  ],
  "a linked checkpoint and its main checkpoint belong to different projects": [
    ["checkpoints_are_snapshots", (f) => reserve(f, { linked_checkpoint_id: f.spare })],
  ],
  "links form no cycle": [
    ["checkpoints_are_snapshots", (f) => change(f.linkingMain, `linked_checkpoint_id = '${f.linked}'`)],
    [
      "checkpoints_not_own_link",
      (f) => {
        const id = "00000000-0000-4000-8000-000000000001";
        return reserve(f, { id, linked_checkpoint_id: id });
      },
    ],
  ],
  "a checkpoint is a snapshot of a model of its project": [
    ["checkpoints_are_snapshots", (f) => change(f.spare, "sha256 = repeat('0', 64)")],
    ["checkpoints_are_snapshots", (f) => change(f.spare, "primary_metric_value = -1")],
    ["checkpoints_are_snapshots", (f) => reserve(f, { sha256: "0".repeat(64) })],
    ["checkpoints_are_snapshots", (f) => reserve(f, { primary_metric_value: null })],
    ["models_never_change", (f) => set("models", f.modelId, "training_rows = 1")],
    ["checkpoints_model", (f) => reserve(f, { model_id: f.used.modelId })],
  ],
  "a checkpoint's upstream checkpoints belong to the recorded upstream projects": [
    [
      "checkpoint_dependencies_match_upstream",
      (f) =>
        `insert into checkpoint_dependencies values ('${f.spare}', '${f.projectId}', '${f.checkpointId}')`,
    ],
    [
      "checkpoint_dependencies_match_upstream",
      (f) => `insert into checkpoint_dependencies values ('${f.spare}', '${f.free}', '${f.linked}')`,
    ],
  ],
  "the latest event default-changed of a project names its default, or the project without one": [
    [
      null,
      (f) => `update checkpoints set is_default = id = '${f.spare}'
        where project_id = '${f.projectId}' and state = 'ready'`,
    ],
  ],
  "a ready checkpoint has exactly one event checkpoint-created": [
    [
      null,
      (f) =>
        `delete from outbox_events where name = 'checkpoint-created' and payload ->> 'entityId' = '${f.spare}'`,
    ],
  ],
};
