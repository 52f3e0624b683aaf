import { eventNames } from "#lib/contract/channel";
/**
 * Invariants of jobs and events: their types, states, times and order. Jobs outlive their projects. The service keeps
 * sent events for one day.
 */
export const jobInvariants: Readonly<Record<string, string>> = {
  "a job has one of the seven types and one of the five states": `
    select id, type, status from jobs
    where status not in ('Pending', 'Running', 'Completed', 'Failed', 'Cancelled') or type not in (
      'CreateScenario', 'CreateCheckpoint', 'DeleteCheckpoint', 'TrainModel', 'ImportModel', 'DeleteScenario', 'DeleteProject')`,

  "a job's times, attempts, progress and error match its status": `
    select id, status, attempt, failures, interruptions, progress, started_at, finished_at, error_code from jobs
    where (status in ('Completed', 'Failed', 'Cancelled')) <> (finished_at is not null)
      or (status = 'Failed') <> (error_code is not null) or (error_code is null) <> (error_message is null)
      or (attempt > 0) <> (started_at is not null) or status = 'Pending' and attempt > 0
      or status in ('Running', 'Completed', 'Failed') and attempt = 0
      or failures < 0 or interruptions < 0 or failures + interruptions > attempt
      or progress not between 0 and 100 or status = 'Completed' and progress <> 100
      or rows_processed > rows_total or rows_processed < 0 or (rows_total is null) <> (rows_processed is null)`,

  "a retry repeats a Failed or Cancelled job, which has at most one open or Completed retry": `
    select j.id, j.retry_of from jobs j left join jobs old on old.id = j.retry_of
    where j.retry_of is not null and (old.id is null or old.project_id <> j.project_id or old.type <> j.type
      or old.status not in ('Failed', 'Cancelled'))
    union all
    select min(id::text)::uuid, retry_of from jobs where retry_of is not null and status in ('Pending', 'Running', 'Completed')
    group by retry_of having count(*) > 1`,

  "a Pending job has an open job of pg-boss": `
    select id, type from jobs j where status = 'Pending' and not exists (
      select from pgboss.job d where d.id = j.id and d.state not in ('completed', 'failed', 'cancelled'))`,

  "a part in pg-boss belongs to a training that has begun and has not ended": `
    select d.id, d.data from pgboss.job d where d.name = 'parts' and not exists (
      select from jobs j where j.id::text = d.data ->> 'jobId' and j.project_id::text = d.data ->> 'projectId'
        and j.type = 'TrainModel' and j.status = 'Running')`,

  "the subject of an open job exists, unless the job is being cancelled": `
    select j.id, j.type, j.status from jobs j where j.status in ('Pending', 'Running') and not j.cancel_requested and case j.type
      when 'CreateCheckpoint' then not exists (select from checkpoints where id = j.checkpoint_id and state = 'reserved')
      when 'CreateScenario' then not exists (
        select from scenario_runs r join scenarios s on s.id = r.scenario_id where r.job_id = j.id and s.deleted_at is null)
      when 'DeleteCheckpoint' then not exists (select from checkpoints where id = j.checkpoint_id and state = 'deleting')
      when 'DeleteScenario' then not exists (select from scenarios where id = j.scenario_id and deleted_at is not null)
      when 'DeleteProject' then not exists (select from projects where id = j.project_id and deleted_at is not null)
      else not exists (select from projects where id = j.project_id) end`,

  "the result of a Completed job exists or was deleted later": `
    select j.id, j.type from jobs j where j.status = 'Completed' and exists (
      select from projects where id = j.project_id and deleted_at is null) and case j.type
      when 'CreateCheckpoint' then
        not exists (select from checkpoints where id = j.checkpoint_id and state <> 'reserved')
        and not exists (select from jobs d where d.checkpoint_id = j.checkpoint_id and d.type = 'DeleteCheckpoint')
      when 'CreateScenario' then
        not exists (select from scenario_runs r join scenarios s on s.id = r.scenario_id where r.job_id = j.id)
        and not exists (select from scenarios where id = j.scenario_id and deleted_at is not null)
        and not exists (select from scenario_runs r where r.scenario_id = j.scenario_id and r.job_id <> j.id
          and r.completed_at > j.finished_at - interval '1 minute')
        and not exists (select from jobs d where d.scenario_id = j.scenario_id and d.type = 'DeleteScenario')
      when 'TrainModel' then not exists (select from models where id = j.model_id and job_id = j.id)
      when 'ImportModel' then not exists (select from models where id = j.model_id and job_id = j.id)
      when 'DeleteCheckpoint' then exists (select from checkpoints where id = j.checkpoint_id)
      when 'DeleteScenario' then exists (select from scenarios where id = j.scenario_id)
      else false end`,

  "a Failed or Cancelled job leaves no reserved checkpoint and no model": `
    select j.id, j.type from jobs j where j.status in ('Failed', 'Cancelled') and (
      j.type = 'CreateCheckpoint' and exists (select from checkpoints where id = j.checkpoint_id)
      or j.type = 'CreateScenario' and exists (
        select from checkpoints c where j.payload -> 'reserved' ? c.id::text and c.state = 'reserved')
      or j.type in ('TrainModel', 'ImportModel') and exists (select from models where job_id = j.id))`,

  "a job creates at most one model": `
    select job_id, count(*) from models where job_id is not null group by job_id having count(*) > 1`,

  "an event has its project's id, a name of the contract, a unique id and an existing job": `
    select e.sequence, e.name, e.payload from outbox_events e
    left join jobs j on j.id::text = e.payload ->> 'jobId'
    where e.payload ->> 'projectId' <> e.project_id::text or e.payload ->> 'eventId' is null
      or e.payload ->> 'entityId' is null or j.id is null and e.payload ->> 'jobId' is not null
      or e.name not in (${eventNames.map((name) => `'${name}'`)})
    union all
    select min(sequence), min(name), null from outbox_events group by payload ->> 'eventId' having count(*) > 1`,

  "a job's end and its result have exactly one event each": `
    with events as (
      select payload ->> 'jobId' as job_id, name, payload ->> 'entityId' as entity_id, payload ->> 'status' as status
      from outbox_events
    ), counted as (
      select j.id, j.type, j.status,
        count(*) filter (where t.name = 'job-updated' and t.status in ('Completed', 'Failed', 'Cancelled')) as ends,
        count(*) filter (where t.name = 'job-updated' and t.status = j.status) as ends_so,
        count(*) filter (where t.name || ' ' || t.entity_id = case j.type
          when 'CreateCheckpoint' then 'checkpoint-created ' || j.checkpoint_id
          when 'DeleteCheckpoint' then 'checkpoint-deleted ' || j.checkpoint_id
          when 'CreateScenario' then 'scenario-completed ' || j.scenario_id
          else 'model-trained ' || j.model_id end) as results
      from jobs j left join events t on t.job_id = j.id::text
      where j.created_at > now() - interval '1 hour' group by j.id
    )
    select * from counted where case
      when status in ('Pending', 'Running') then ends > 0 or results > 0
      else ends <> 1 or ends_so <> 1
        or results <> (status = 'Completed' and type not in ('DeleteScenario', 'DeleteProject'))::int end`,
};
