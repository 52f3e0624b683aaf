/** Invariants of checkpoints: their number, labels, folders, states and references. */
export const checkpointInvariants: Readonly<Record<string, string>> = {
  "a project has at most 20 checkpoints, including reserved ones, each in a separate slot": `
    select project_id, count(*) from checkpoints where state <> 'deleting' group by project_id
    having count(*) > 20 or count(distinct slot) <> count(*) or min(slot) < 1 or max(slot) > 20`,

  "labels are unique within the project": `
    select project_id, label, count(*) from checkpoints where state <> 'deleting'
    group by project_id, label having count(*) > 1`,

  "a label has 2 to 100 characters and no leading or trailing white space": `
    select id, label from checkpoints
    where char_length(label) not between 2 and 100 or label <> btrim(label, E' \\t\\n\\v\\f\\r')`,

  "a folder name is a slug of at most 50 characters and unique within the project": `
    select project_id, folder_name, count(*) from checkpoints group by project_id, folder_name
    having count(*) > 1 or folder_name !~ '^[a-z0-9_-]{1,50}$'`,

  "a checkpoint's artifact key starts with the path of its folder": `
    select id, artifact_key from checkpoints
    where not starts_with(artifact_key, 'projects/' || project_id || '/checkpoints/' || folder_name)`,

  "a project with ready checkpoints has exactly one default": `
    select project_id, count(*) filter (where is_default) as defaults from checkpoints where state = 'ready'
    group by project_id having count(*) filter (where is_default) <> 1`,

  "only a ready checkpoint is the default": `
    select id, state from checkpoints where is_default and state <> 'ready'`,

  "a checkpoint is reserved, ready or being deleted, and has a slot unless it is being deleted": `
    select id, state, slot from checkpoints
    where state not in ('reserved', 'ready', 'deleting') or (state = 'deleting') <> (slot is null)`,

  "a reserved checkpoint has exactly one open job": `
    select c.id, c.project_id from checkpoints c where c.state = 'reserved' and 1 <> (
      select count(*) from jobs j where j.status in ('Pending', 'Running') and (
        j.type = 'CreateCheckpoint' and j.payload ->> 'checkpointId' = c.id::text
        or j.type = 'CreateScenario' and j.payload -> 'reserved' ? c.id::text))`,

  "a checkpoint that is being deleted has a deletion job that is not Completed": `
    select id from checkpoints c where state = 'deleting' and not exists (
      select from jobs where checkpoint_id = c.id and type = 'DeleteCheckpoint' and status <> 'Completed')`,

  "no scenario uses a checkpoint that is being deleted": `
    select c.id from checkpoints c
    where c.state = 'deleting' and (exists (select from scenario_runs where checkpoint_id = c.id)
      or exists (select from scenario_checkpoints where checkpoint_id = c.id))`,

  "a linked checkpoint and its main checkpoint belong to different projects": `
    select c.id, c.linked_checkpoint_id from checkpoints c join checkpoints main on main.id = c.linked_checkpoint_id
    where main.project_id = c.project_id`,

  "links form no cycle": `
    with recursive above(id, linked) as (
      select id, linked_checkpoint_id from checkpoints where linked_checkpoint_id is not null
      union
      select a.id, c.linked_checkpoint_id from above a join checkpoints c on c.id = a.linked
      where c.linked_checkpoint_id is not null
    )
    select id from above where id = linked`,

  "a checkpoint is a snapshot of a model of its project": `
    select c.id, c.model_id from checkpoints c join models m on m.id = c.model_id
    where (c.project_id, c.sha256, c.model_name, c.target, c.target_metric, c.artifact_bytes, c.trained_at, c.training_rows)
        is distinct from
          (m.project_id, m.sha256, m.model_name, m.target, m.target_metric, m.artifact_bytes, m.trained_at, m.training_rows)
      or c.primary_metric_value is distinct from m.primary_metric_value
      or c.training_metrics <> m.training_metrics or c.input_features <> m.input_features
      or c.feature_engineering <> m.feature_engineering`,

  "a checkpoint's upstream checkpoints belong to the recorded upstream projects": `
    select d.checkpoint_id from checkpoint_dependencies d join checkpoints c on c.id = d.checkpoint_id
    left join checkpoints up on up.id = d.upstream_checkpoint_id
    where d.upstream_project_id = c.project_id or up.project_id <> d.upstream_project_id`,

  "the latest event default-changed of a project names its default, or the project without one": `
    select * from (
      select distinct on (project_id) project_id, payload ->> 'entityId' as announced from outbox_events
      where name = 'default-changed' order by project_id, sequence desc) latest
    join projects p on p.id = latest.project_id
    left join checkpoints c on c.project_id = p.id and c.is_default
    where latest.announced <> coalesce(c.id, p.id)::text`,

  "a ready checkpoint has exactly one event checkpoint-created": `
    select c.id, count(e.sequence) as events from checkpoints c
    left join outbox_events e on e.name = 'checkpoint-created' and e.payload ->> 'entityId' = c.id::text
    where c.state = 'ready' and c.created_at > now() - interval '1 hour'
    group by c.id having count(e.sequence) <> 1`,
};
