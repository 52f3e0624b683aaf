import { type Breaches, copy, type Facts, set } from "./facts.ts";

const depend = (projectId: string, upstreamId: string) =>
  `insert into project_dependencies values ('${projectId}', '${upstreamId}', 'predicted')`;

const keepKey = (key: string) =>
  `insert into idempotency_keys (owner, key, request_id, call_hash, locked_until) values ('x', '${key}', gen_random_uuid(), 'x', now())`;

const mail = (f: Facts, kindAndJob: string) =>
  `insert into mails (user_id, kind, job_id) values ('${f.admin}', ${kindAndJob})`;

/** Copies the current version of a dataset with other fields, `count` times as `n` = 1, 2, …. */
const copyDataset = (projectId: string, fields: string, count = 1) =>
  `insert into datasets select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), ${fields}))).*
  from datasets d, generate_series(1, ${count}) n where project_id = '${projectId}'`;

export const projectBreaches: Breaches = {
  "a project's name has 1 to 100 characters and no leading or trailing white space": [
    ["projects_name_length", (f) => set("projects", f.free, "name = ''")],
    ["projects_name_length", (f) => set("projects", f.free, "name = repeat('x', 101)")],
    ["projects_name_trimmed", (f) => set("projects", f.free, "name = E'Heat\\t'")],
  ],
  "a project's display is an object of columns": [
    ["projects_display_object", (f) => set("projects", f.free, "display = '[]'")],
  ],
  "a project keeps 1 to 200 runs of each scenario": [
    ["projects_runs_kept", (f) => set("projects", f.free, "runs_kept = 0")],
    ["projects_runs_kept", (f) => set("projects", f.free, "runs_kept = 201")],
  ],
  "a project's current model belongs to the project": [
    ["projects_current_model", (f) => set("projects", f.projectId, `current_model_id = '${f.used.modelId}'`)],
  ],
  "dependencies form no cycle": [
    ["project_dependencies_form_no_cycle", (f) => depend(f.used.projectId, f.projectId)],
    ["project_dependencies_form_no_cycle", (f) => depend(f.free, f.free)],
    [
      "project_dependencies_form_no_cycle",
      (f) => `${depend(f.used.projectId, f.free)}; ${depend(f.free, f.projectId)}`,
    ],
  ],
  "a project that is being deleted has no upstream and no downstream projects": [
    ["project_dependencies_exist", (f) => depend(f.gone, f.free)],
    ["project_dependencies_exist", (f) => depend(f.free, f.gone)],
    ["projects_deleted_without_dependencies", (f) => set("projects", f.used.projectId, "deleted_at = now()")],
  ],
  "a project that is being deleted has a deletion job that is not Completed": [
    [null, (f) => set("projects", f.free, "deleted_at = now()")],
  ],
  "a deleted project leaves no objects": [[null, (f) => copy("projects", f.free, { id: f.removed })]],
  "versions of a dataset start at 1, and a project keeps ten and those that jobs name": [
    ["datasets_keep_ten", (f) => copyDataset(f.projectId, "'version', version + n", 11)],
    ["datasets_numbered", (f) => `update datasets set version = 0 where project_id = '${f.projectId}'`],
    [
      "datasets_version",
      (f) =>
        `insert into datasets select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).* from datasets d where project_id = '${f.projectId}'`,
    ],
  ],
  "a version that an unfinished job names exists": [
    ["datasets_stay_for_jobs", (f) => `delete from datasets where project_id = '${f.projectId}'`],
  ],
  "the parts of a version of a dataset hold its rows, and none is to be deleted": [
    [
      "datasets_hold_their_parts",
      (f) => copyDataset(f.projectId, "'version', version + 1, 'row_count', row_count + 1"),
    ],
    [
      "datasets_hold_their_parts",
      (f) =>
        `insert into orphaned_artifacts (key, due_at) select parts->0->>'key', now() from datasets where project_id = '${f.projectId}';
        ${copyDataset(f.projectId, "'version', version + 1")}`,
    ],
  ],
  "an API key is stored only as its hash and its first eight characters": [
    ["api_keys_hash_form", (f) => copy("api_keys", f.keyId, { hash: "mps_secret" })],
    ["api_keys_prefix_form", (f) => copy("api_keys", f.keyId, { hash: "0".repeat(64), prefix: "mps_abcde" })],
    ["api_keys_name_length", (f) => set("api_keys", f.keyId, "name = ''")],
  ],
  "an API key has one to three scopes, each once": [
    ["api_keys_scopes", (f) => set("api_keys", f.keyId, "scopes = '{read,read}'")],
    ["api_keys_scopes", (f) => set("api_keys", f.keyId, "scopes = '{}'")],
  ],
  "an API key permits all addresses, or 1 to 20 that are valid": [
    ["api_keys_allowed_addresses", (f) => set("api_keys", f.keyId, "allowed_addresses = '{}'")],
    [
      "api_keys_allowed_addresses",
      (f) => set("api_keys", f.keyId, "allowed_addresses = array_fill('::1'::text, '{21}')"),
    ],
  ],
  "a project is open or restricted, and lists a user once, as viewer, analyst or admin": [
    ["projects_access", (f) => set("projects", f.projectId, "access = 'secret'")],
    [
      "project_members_role",
      (f) => `update project_members set role = 'owner' where project_id = '${f.projectId}'`,
    ],
    [
      "project_members_once",
      (f) =>
        `insert into project_members (id, project_id, user_id, role, created_by)
        select gen_random_uuid(), project_id, user_id, role, created_by from project_members where project_id = '${f.projectId}'`,
    ],
  ],
  "a webhook has an http address, events, a format, its own slot from 1 to 20, and at most two secrets": [
    ["webhooks_url", (f) => set("webhooks", f.webhookId, "url = 'file:///etc/passwd'")],
    ["webhooks_url", (f) => set("webhooks", f.webhookId, "url = 'https://' || repeat('x', 2000)")],
    ["webhooks_events", (f) => set("webhooks", f.webhookId, "events = '{}'")],
    ["webhooks_events", (f) => set("webhooks", f.webhookId, "events = '{made-up}'")],
    ["webhooks_format", (f) => set("webhooks", f.webhookId, "format = 'fax'")],
    ["webhooks_slot_range", (f) => set("webhooks", f.webhookId, "slot = 21")],
    ["webhooks_slot", (f) => copy("webhooks", f.webhookId, {})],
    ["webhooks_previous_secret", (f) => set("webhooks", f.webhookId, "previous_secret = secret")],
  ],
  "a webhook is disabled at a time and for a reason": [
    ["webhooks_disabled", (f) => set("webhooks", f.webhookId, "disabled_at = now()")],
    [
      "webhooks_disabled",
      (f) => set("webhooks", f.webhookId, "disabled_at = now(), disabled_reason = 'bored'"),
    ],
  ],
  "a webhook receives an event of its project once": [
    ["webhook_deliveries_once", (f) => copy("webhook_deliveries", f.deliveryId, {})],
    [
      "webhook_deliveries_webhook",
      (f) =>
        copy("webhook_deliveries", f.deliveryId, {
          project_id: f.used.projectId,
          source: "of another project",
        }),
    ],
  ],
  "a delivery is due while it is pending, and keeps at most 1 kB of an answer": [
    [
      "webhook_deliveries_status",
      (f) => set("webhook_deliveries", f.deliveryId, "status = 'Lost', due_at = null"),
    ],
    ["webhook_deliveries_pending", (f) => set("webhook_deliveries", f.deliveryId, "due_at = null")],
    ["webhook_deliveries_attempts", (f) => set("webhook_deliveries", f.deliveryId, "attempts = 1")],
    [
      "webhook_deliveries_response",
      (f) => set("webhook_deliveries", f.deliveryId, "response_body = repeat('x', 1025)"),
    ],
  ],
  "a mail is requested once, and names a job exactly if it reports the end of a job": [
    ["mails_kind", (f) => mail(f, "'newsletter', null")],
    ["mails_job", (f) => mail(f, "'job-ended', null")],
    ["mails_job", (f) => mail(f, `'invitation', '${f.waitingJob}'`)],
    ["mails_once", (f) => `${mail(f, "'invitation', null")}; ${mail(f, "'invitation', null")}`],
    ["mails_attempts", (f) => `${mail(f, "'invitation', null")}; update mails set attempts = -1`],
  ],
  "a recorded number of requests of an API key is positive": [
    ["api_key_uses_requests", (f) => `insert into api_key_uses values ('${f.keyId}', '2020-01-01', 0)`],
  ],
  "where there are members, one of them is an admin who can sign in": [
    ["user_keep_an_admin", (f) => set('"user"', f.admin, "role = 'analyst'")],
    ["user_keep_an_admin", (f) => set('"user"', f.admin, "disabled_at = now()")],
    [
      "user_keep_an_admin",
      (f) =>
        `${copy('"user"', f.admin, { email: "b@example.com", role: "analyst" })}; delete from "user" where id = '${f.admin}'`,
    ],
  ],
  "a member's email address is lowercase and unique": [
    ["user_email_lower", (f) => copy('"user"', f.admin, { email: "Ann@example.com" })],
    [
      "user_email_unique",
      (f) =>
        `${copy('"user"', f.admin, { email: "ann@example.com" })}; ${copy('"user"', f.admin, { email: "ann@example.com" })}`,
    ],
  ],
  "an upload has at most 2 GiB": [
    ["uploads_bytes", (f) => `update uploads set bytes = 2147483649 where project_id = '${f.projectId}'`],
    ["uploads_bytes", (f) => `update uploads set bytes = -1 where project_id = '${f.projectId}'`],
  ],
  "an Idempotency-Key has 1 to 255 characters": [
    ["idempotency_keys_length", () => keepKey("")],
    ["idempotency_keys_length", () => keepKey("x".repeat(256))],
  ],
  "a member is an admin or an analyst": [["user_role", (f) => set('"user"', f.admin, "role = 'owner'")]],
};
