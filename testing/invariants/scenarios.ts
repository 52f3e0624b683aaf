/**
 * Invariants of scenarios and their runs: fields, jobs, checkpoints and predictions. Scenarios that are being deleted are
 * invisible and use no checkpoint.
 */
export const scenarioInvariants: Readonly<Record<string, string>> = {
  "a scenario has a title of 1 to 200 characters and a hex colour": `
    select id, title, color from scenarios
    where char_length(title) not between 1 and 200 or title <> btrim(title, E' \\t\\n\\v\\f\\r')
      or color !~ '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'`,

  "a scenario has at most 10 distinct tags of 1 to 50 characters, and at most 5,000 characters of notes": `
    select id, tags from scenarios
    where cardinality(tags) > 10 or char_length(notes) > 5000
      or cardinality(tags) <> (select count(distinct tag) from unnest(tags) tag)
      or exists (select from unnest(tags) tag
        where tag is null or char_length(tag) not between 1 and 50 or tag <> btrim(tag, E' \\t\\n\\v\\f\\r'))`,

  "a run's job creates its scenario and has no retry": `
    select r.id, r.job_id, j.type, j.scenario_id from scenario_runs r left join jobs j on j.id = r.job_id
    where j.id is null or j.type <> 'CreateScenario' or j.project_id <> r.project_id
      or j.scenario_id is distinct from r.scenario_id or exists (select from jobs a where a.retry_of = j.id)`,

  "a run's checkpoint belongs to its project, and its pinned checkpoints to their upstream projects": `
    select r.id, c.id as checkpoint_id from scenario_runs r join checkpoints c on c.id = r.checkpoint_id
    where c.project_id <> r.project_id
    union all
    select p.run_id, c.id from scenario_checkpoints p join checkpoints c on c.id = p.checkpoint_id
    join scenario_runs r on r.id = p.run_id
    where c.project_id <> p.upstream_project_id or c.project_id = r.project_id`,

  "a scenario that is being deleted uses no checkpoint and has a deletion job that is not Completed": `
    select s.id from scenarios s where s.deleted_at is not null and (
      exists (select from scenario_runs r where r.scenario_id = s.id and (r.checkpoint_id is not null
        or exists (select from scenario_checkpoints where run_id = r.id)))
      or not exists (select from jobs where scenario_id = s.id and type = 'DeleteScenario' and status <> 'Completed'))`,

  "an open run's checkpoints are reserved or ready, and those of the run that a scenario shows are ready": `
    with held as (
      select r.* from scenario_runs r join scenarios s on s.id = r.scenario_id where s.deleted_at is null and r.released is null
    ), used as (
      select id as run_id, job_id, checkpoint_id from held
      union all
      select h.id, h.job_id, p.checkpoint_id from held h join scenario_checkpoints p on p.run_id = h.id
    )
    select u.run_id, j.status, u.checkpoint_id, c.state from used u join jobs j on j.id = u.job_id
    left join checkpoints c on c.id = u.checkpoint_id
    where case
      when j.status = 'Completed' then c.state is distinct from 'ready'
      when j.status in ('Pending', 'Running') then c.state is null or c.state = 'deleting'
      else c.state is not null and c.state <> 'ready' end`,

  "a scenario shows its last completed run, and earlier ones have released their checkpoints": `
    select s.id, r.id as run_id from scenarios s left join scenario_runs shown on shown.id = s.shown_run_id and shown.scenario_id = s.id
    left join scenario_runs r on r.scenario_id = s.id and r.id <> shown.id
    where shown.id is null or shown.project_id <> s.project_id
      or s.deleted_at is null and (shown.released is not null
        or r.completed_at is not null and (shown.completed_at is null or r.completed_at > shown.completed_at or r.released is null)
        or r.completed_at is null and r.id is not null and shown.completed_at is null)
    union all
    select scenario_id, min(id::text)::uuid from scenario_runs group by scenario_id
    having count(*) filter (where completed_at is null) > 1 or count(*) > 25
    union all
    select scenario_id, id from scenario_runs r where released is not null and (checkpoint_id is not null or completed_at is null
      or exists (select from scenario_checkpoints where run_id = r.id))`,

  "a run is Completed if and only if it has its predictions": `
    select r.id, j.status, r.row_count, p.rows from scenario_runs r join jobs j on j.id = r.job_id
    join scenarios s on s.id = r.scenario_id
    left join (
      select run_id, sum(row_count) filter (where series = 'prediction') as rows
      from prediction_chunks group by run_id) p on p.run_id = r.id
    where s.deleted_at is null and case
      when j.status = 'Completed' then r.row_count is null or r.summary is null or r.input_key is null or r.completed_at is null
        or coalesce(p.rows, 0) <> r.row_count
      else r.row_count is not null or r.summary is not null or r.input_key is not null or p.run_id is not null end`,

  "a run's series have equal lengths, without gaps or repeated rows": `
    with series as (
      select run_id, series, count(*) as chunks, max(chunk) + 1 as numbered, sum(row_count) as rows,
        max(row_start + row_count) as until, min(row_start) as start
      from prediction_chunks group by run_id, series
    )
    select run_id from series group by run_id
    having bool_or(chunks <> numbered or rows <> until or start <> 0) or count(distinct rows) > 1
      or count(*) filter (where series = 'prediction') <> 1
      or count(*) filter (where series = 'lower') <> count(*) filter (where series = 'upper')`,

  "an override has a span, a finite value and a reason of 1 to 500 characters, and a scenario has at most 100 active ones": `
    select scenario_id from scenario_overrides where ended_at is null group by scenario_id
    having count(distinct slot) < count(*) or bool_or(slot not between 1 and 100)
    union all
    select id from scenario_overrides
    where from_time > to_time or operation not in ('set', 'add', 'multiply') or operation = 'multiply' and value < 0
      or value in ('NaN', 'infinity', '-infinity') or char_length(reason) not between 1 and 500
      or reason <> btrim(reason, E' \\t\\n\\v\\f\\r')
      or num_nulls(ended_at, ended_by) = 1 or ended_at < created_at or ended_known_until is not null and ended_at is null`,

  "an override belongs to a scenario of its project": `
    select o.id from scenario_overrides o left join scenarios s on s.id = o.scenario_id and s.project_id = o.project_id
    where s.id is null`,

  "a scenario has a summary with overrides if and only if it has active overrides": `
    select s.id from scenarios s where (s.effective_summary is not null)
      <> exists (select from scenario_overrides o where o.scenario_id = s.id and o.ended_at is null)`,

  "a saved comparison has a name of 1 to 100 characters, and a project has at most 100": `
    select project_id, count(*) from comparisons group by project_id
    having count(distinct slot) < count(*) or bool_or(slot not between 1 and 100) or bool_or(char_length(name) not between 1 and 100)
      or bool_or(name <> btrim(name, E' \\t\\n\\v\\f\\r'))`,

  "a saved comparison holds at most 20 existing scenarios of its project, each once": `
    select c.id from comparisons c join comparison_scenarios m on m.comparison_id = c.id
    left join scenarios s on s.id = m.scenario_id and s.project_id = c.project_id and s.deleted_at is null
    group by c.id
    having bool_or(m.position not between 0 and 19 or m.project_id <> c.project_id) or count(s.id) < count(*) or count(distinct m.scenario_id) < count(*)`,

  "a scenario's base is another scenario of its project, or missing": `
    select s.id from scenarios s join scenarios base on base.id = s.base_scenario_id
    where base.project_id <> s.project_id or base.id = s.id`,
};
