/** Invariants of projects, dependencies, datasets, API keys and members. */
export const projectInvariants: Readonly<Record<string, string>> = {
  "a project's name has 1 to 100 characters and no leading or trailing white space": `
    select id, name from projects
    where char_length(name) not between 1 and 100 or name <> btrim(name, E' \\t\\n\\v\\f\\r')`,

  "a project's display is an object of columns": `
    select id, display from projects where jsonb_typeof(display) <> 'object'`,

  "a project keeps 1 to 200 runs of each scenario": `
    select id, runs_kept from projects where runs_kept not between 1 and 200`,

  "a project's current model belongs to the project": `
    select p.id, p.current_model_id from projects p join models m on m.id = p.current_model_id
    where m.project_id <> p.id`,

  "dependencies form no cycle": `
    with recursive above(project_id, upstream_project_id) as (
      select project_id, upstream_project_id from project_dependencies
      union
      select a.project_id, d.upstream_project_id
      from above a join project_dependencies d on d.project_id = a.upstream_project_id
    )
    select * from above where project_id = upstream_project_id`,

  "a project that is being deleted has no upstream and no downstream projects": `
    select d.project_id, d.upstream_project_id from project_dependencies d
    join projects p on p.id in (d.project_id, d.upstream_project_id) where p.deleted_at is not null`,

  "a project that is being deleted has a deletion job that is not Completed": `
    select id from projects p where deleted_at is not null and not exists (
      select from jobs where project_id = p.id and type = 'DeleteProject' and status <> 'Completed')`,

  "a deleted project leaves no objects": `
    select j.project_id, t.what from jobs j, lateral (
      select 'project' as what from projects where id = j.project_id
      union all select 'checkpoint' from checkpoints where project_id = j.project_id
      union all select 'scenario' from scenarios where project_id = j.project_id
      union all select 'run' from scenario_runs where project_id = j.project_id
      union all select 'model' from models where project_id = j.project_id
      union all select 'dataset' from datasets where project_id = j.project_id
      union all select 'upload' from uploads where project_id = j.project_id
      union all select 'key' from api_keys where project_id = j.project_id
      union all select 'dependency' from project_dependencies where j.project_id in (project_id, upstream_project_id)
      union all select 'pinned checkpoint' from scenario_checkpoints where upstream_project_id = j.project_id
    ) t where j.type = 'DeleteProject' and j.status = 'Completed'`,

  "versions of a dataset start at 1, and a project keeps ten and those that jobs name": `
    select project_id from datasets d group by project_id
    having min(version) < 1 or count(distinct version) <> count(*) or count(*) > 10 + (
      select count(*) from jobs j where j.project_id = d.project_id and payload->>'datasetVersionId' is not null)`,

  "a version that an unfinished job names exists": `
    select id from jobs where status in ('Pending', 'Running') and payload->>'datasetVersionId' is not null
      and exists (select from projects where id = project_id and deleted_at is null)
      and not exists (select from datasets d where d.id::text = payload->>'datasetVersionId' and d.project_id = jobs.project_id)`,

  "the parts of a version of a dataset hold its rows, and none is to be deleted": `
    select id from datasets where row_count <> (select sum((part->>'rows')::bigint) from jsonb_array_elements(parts) part)
      or exists (select from jsonb_array_elements(parts) part, orphaned_artifacts where key = part->>'key')`,

  "an API key is stored only as its hash and its first eight characters": `
    select id from api_keys
    where hash !~ '^[0-9a-f]{64}$' or prefix !~ '^mps_[0-9A-Za-z]{4}$' or char_length(name) not between 1 and 100`,

  "an API key permits all addresses, or 1 to 20 that are valid": `
    select id, allowed_addresses from api_keys
    where cardinality(allowed_addresses) not between 1 and 20 or cardinality(allowed_addresses::inet[]) = 0`,
  "an API key has one to three scopes, each once": `
    select id, scopes from api_keys
    where cardinality(scopes) <> (select count(distinct scope) from unnest(scopes) scope where scope in ('read', 'predict', 'write'))
      or cardinality(scopes) = 0`,

  "a project is open or restricted, and lists a user once, as viewer, analyst or admin": `
    select id::text from projects where access not in ('open', 'restricted')
    union all select user_id from project_members where role not in ('viewer', 'analyst', 'admin')
    union all select user_id from project_members group by project_id, user_id having count(*) > 1`,

  "a webhook has an http address, events, a format, its own slot from 1 to 20, and at most two secrets": `
    select id from webhooks where url !~* '^https?:' or char_length(url) > 2000 or cardinality(events) = 0 or slot not between 1 and 20
      or exists (select from unnest(events) name where name not in (
        'checkpoint-created', 'checkpoint-failed', 'checkpoint-deleted', 'job-updated', 'scenario-completed', 'scenario-failed',
        'model-trained', 'default-changed', 'checkpoint-updated', 'scenario-updated', 'scenario-deleted', 'project-updated', 'dataset-changed'))
      or format not in ('standard', 'slack', 'teams')
      or (previous_secret is null) <> (previous_secret_expires_at is null)
    union all select min(id::text)::uuid from webhooks group by project_id, slot having count(*) > 1`,

  "a webhook is disabled at a time and for a reason": `
    select id from webhooks where (disabled_at is null) <> (disabled_reason is null)
      or disabled_reason not in ('requested', 'gone', 'failing')`,

  "a webhook receives an event of its project once": `
    select d.id from webhook_deliveries d left join webhooks w on (w.id, w.project_id) = (d.webhook_id, d.project_id)
      where w.id is null or d.data->>'projectId' <> d.project_id::text
    union all select min(id::text)::uuid from webhook_deliveries group by webhook_id, event_id having count(*) > 1`,

  "a delivery is due while it is pending, and keeps at most 1 kB of an answer": `
    select id from webhook_deliveries where status not in ('Pending', 'Delivered', 'Failed')
      or (status = 'Pending') <> (due_at is not null) or char_length(response_body) > 1024
      or attempts > 0 and last_attempt_at is null`,

  "a recorded number of requests of an API key is positive": `
    select api_key_id, day from api_key_uses where requests <= 0`,

  "where there are members, one of them is an admin who can sign in": `
    select count(*) as members from "user"
    having count(*) > 0 and count(*) filter (where role = 'admin' and disabled_at is null) = 0`,

  "a member's email address is lowercase and unique": `
    select lower(email) from "user" group by lower(email) having count(*) > 1 or min(email) <> lower(min(email))`,

  "a mail is requested once, and names a job exactly if it reports the end of a job": `
    select id from mails where kind not in ('password-reset', 'invitation', 'job-ended')
      or (kind = 'job-ended') <> (job_id is not null) or attempts < 0
    union all select min(id::text)::uuid from mails group by user_id, kind, job_id having count(*) > 1`,

  "an upload has at most 2 GiB": `
    select id, bytes from uploads where bytes not between 0 and 2147483648`,

  "an Idempotency-Key has 1 to 255 characters": `
    select owner, key from idempotency_keys where char_length(key) not between 1 and 255`,

  "a member is an admin or an analyst": `
    select id, role from "user" where role is null or role not in ('admin', 'analyst')`,
};
