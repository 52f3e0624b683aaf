-- The schema of the service. db/schema also defines the tables, and `npm run db:generate` derives later migrations from
-- it. Only this file defines triggers, deferrable keys and storage, because drizzle does not support them.
--
-- A manual repair, a second program or a defect can break rules that only code enforces. So constraints enforce the
-- rules about stored rows, and triggers enforce those that no constraint can express
-- (docs/decisions/0106). A trigger raises the SQLSTATE of a constraint and its own name as the constraint's name.

-- Members ------------------------------------------------------------------------------------------------------------

-- Tables of better-auth. `role` and `disabled_at` belong to the service.
CREATE TABLE "user" (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL CONSTRAINT user_email_unique UNIQUE,
  email_verified boolean DEFAULT false NOT NULL,
  image text,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  role text NOT NULL,
  disabled_at timestamptz,
  CONSTRAINT user_role CHECK (role IN ('admin', 'analyst')),
  -- Sign-in looks for the lower-case address. A member with capital letters in the address could not sign in.
  CONSTRAINT user_email_lower CHECK (email = lower(email))
);

CREATE TABLE session (
  id text PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  token text NOT NULL CONSTRAINT session_token_unique UNIQUE,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  ip_address text,
  user_agent text,
  user_id text NOT NULL
);
CREATE INDEX session_user_id_index ON session (user_id);
CREATE INDEX session_expires_at_index ON session (expires_at);

CREATE TABLE account (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL
);
CREATE INDEX account_user_id_index ON account (user_id);

CREATE TABLE verification (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL
);

-- An admin who can sign in remains, because only admins manage members. Two transactions could each remove one of the
-- last two admins, so one at a time decides: 1970496882 is the lock of lib/domain/users/members.ts.
CREATE FUNCTION user_keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1970496882);
  IF EXISTS (SELECT FROM "user") AND NOT EXISTS (SELECT FROM "user" WHERE role = 'admin' AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'no admin would be left'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'user_keep_an_admin';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER user_keep_an_admin_on_update AFTER UPDATE ON "user"
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.disabled_at IS NULL
    AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION user_keep_an_admin();
CREATE CONSTRAINT TRIGGER user_keep_an_admin_on_delete AFTER DELETE ON "user"
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.disabled_at IS NULL)
  EXECUTE FUNCTION user_keep_an_admin();

-- Projects and their dependencies ------------------------------------------------------------------------------------

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text,
  display jsonb DEFAULT '{}' NOT NULL,
  current_model_id uuid,
  serving_changes_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT projects_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT projects_name_trimmed CHECK (name = btrim(name, E' \t\n\v\f\r')),
  CONSTRAINT projects_display_object CHECK (jsonb_typeof(display) = 'object')
);
CREATE INDEX projects_listed ON projects (created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE project_dependencies (
  project_id uuid NOT NULL,
  upstream_project_id uuid NOT NULL,
  feature_name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT project_dependencies_project_id_upstream_project_id_pk PRIMARY KEY (project_id, upstream_project_id),
  CONSTRAINT project_dependencies_project_id_feature_name_unique UNIQUE (project_id, feature_name),
  CONSTRAINT project_dependencies_not_self CHECK (project_id <> upstream_project_id)
);
CREATE INDEX project_dependencies_upstream_project_id_index ON project_dependencies (upstream_project_id);

-- Dependencies form no cycle and join existing projects. Two transactions could close a cycle together, so one at a
-- time changes dependencies: 1684369523 is the lock of lib/domain/projects/lock-project.ts. OFFSET 0 makes the
-- planner follow each edge by the index, even if it estimates many edges.
CREATE FUNCTION project_dependencies_form_no_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1684369523);
  PERFORM FROM projects WHERE id IN (NEW.project_id, NEW.upstream_project_id) ORDER BY id FOR SHARE;
  IF EXISTS (SELECT FROM projects WHERE id IN (NEW.project_id, NEW.upstream_project_id) AND deleted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'project % or % is being deleted', NEW.project_id, NEW.upstream_project_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'project_dependencies_exist';
  END IF;
  IF EXISTS (
    WITH RECURSIVE above(id) AS (
      SELECT NEW.upstream_project_id
      UNION
      SELECT next.id FROM above, LATERAL (
        SELECT upstream_project_id AS id FROM project_dependencies WHERE project_id = above.id OFFSET 0
      ) next
    )
    SELECT FROM above WHERE id = NEW.project_id
  ) THEN
    RAISE EXCEPTION 'project % would depend on itself', NEW.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_dependencies_form_no_cycle';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER project_dependencies_form_no_cycle BEFORE INSERT OR UPDATE ON project_dependencies
  FOR EACH ROW EXECUTE FUNCTION project_dependencies_form_no_cycle();

-- The row of a deleted project stays until its job has removed its data. Until then no project depends on it, it
-- depends on none, and it never returns.
CREATE FUNCTION projects_deleted_without_dependencies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL
    OR EXISTS (SELECT FROM project_dependencies WHERE NEW.id IN (project_id, upstream_project_id)) THEN
    RAISE EXCEPTION 'project % is being deleted', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'projects_deleted_without_dependencies';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER projects_deleted_without_dependencies AFTER UPDATE ON projects
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION projects_deleted_without_dependencies();

-- Datasets and uploads -----------------------------------------------------------------------------------------------

CREATE TABLE datasets (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  version integer NOT NULL,
  file_name text,
  target text NOT NULL,
  timestamp_columns jsonb,
  exclude jsonb NOT NULL,
  categories jsonb NOT NULL,
  missing jsonb NOT NULL,
  confirmed jsonb NOT NULL,
  number_formats jsonb NOT NULL,
  timezone text NOT NULL,
  calendar text,
  resample jsonb,
  row_count integer NOT NULL,
  frequency text,
  first_timestamp timestamptz,
  last_timestamp timestamptz,
  profile jsonb NOT NULL,
  artifact_key text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT datasets_calendar CHECK (calendar IN ('business', 'all-days')),
  CONSTRAINT datasets_numbered CHECK (version >= 1 AND row_count >= 0)
);
CREATE UNIQUE INDEX datasets_version ON datasets (project_id, version);

CREATE TABLE uploads (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  artifact_key text NOT NULL,
  profile jsonb,
  created_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  -- 2 GiB, the limit of the API.
  CONSTRAINT uploads_bytes CHECK (bytes BETWEEN 0 AND 2147483648)
);
CREATE INDEX uploads_project_id_index ON uploads (project_id);
CREATE INDEX uploads_created_at_index ON uploads (created_at);

-- Models -------------------------------------------------------------------------------------------------------------

-- Rejects the operation that fired the trigger. The trigger's WHEN clause holds the condition.
CREATE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on table % violates the rule %', TG_OP, TG_TABLE_NAME, TG_NAME USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE TABLE models (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  model_name text NOT NULL,
  algorithm text NOT NULL,
  target text NOT NULL,
  target_metric text NOT NULL,
  primary_metric_value double precision,
  training_metrics jsonb NOT NULL,
  input_features jsonb NOT NULL,
  feature_engineering jsonb NOT NULL,
  model_format text NOT NULL,
  artifact_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  trained_at timestamptz NOT NULL,
  training_rows integer NOT NULL,
  source text NOT NULL,
  details jsonb NOT NULL,
  upstream jsonb DEFAULT '{}' NOT NULL,
  artifact_key text NOT NULL,
  job_id uuid,
  created_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  -- The target of foreign keys that include the project, so that no row references another project's model.
  CONSTRAINT models_tenant UNIQUE (project_id, id)
);
CREATE INDEX models_project_id_created_at_index ON models (project_id, created_at);
-- A job makes at most one model, over all of its attempts.
CREATE UNIQUE INDEX models_of_job ON models (job_id);

-- Models never change, because checkpoints are snapshots of them.
CREATE TRIGGER models_never_change AFTER UPDATE ON models
  FOR EACH ROW EXECUTE FUNCTION reject_change();

-- Checkpoints --------------------------------------------------------------------------------------------------------

CREATE TABLE checkpoints (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  slot smallint,
  label text NOT NULL,
  folder_name text NOT NULL,
  description text,
  state text NOT NULL,
  set_as_default boolean DEFAULT false NOT NULL,
  is_default boolean DEFAULT false NOT NULL,
  linked_checkpoint_id uuid,
  model_id uuid,
  model_name text NOT NULL,
  algorithm text NOT NULL,
  target text NOT NULL,
  target_metric text NOT NULL,
  primary_metric_value double precision,
  training_metrics jsonb NOT NULL,
  input_features jsonb NOT NULL,
  feature_engineering jsonb NOT NULL,
  model_format text NOT NULL,
  artifact_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  trained_at timestamptz NOT NULL,
  training_rows integer NOT NULL,
  artifact_key text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT checkpoints_tenant UNIQUE (project_id, id),
  CONSTRAINT checkpoints_state CHECK (state IN ('reserved', 'ready', 'deleting')),
  -- A number from 1 to 20, unique in the project, limits a project to 20 checkpoints.
  CONSTRAINT checkpoints_slot_range CHECK (slot BETWEEN 1 AND 20),
  CONSTRAINT checkpoints_slot_counts CHECK ((state = 'deleting') = (slot IS NULL)),
  CONSTRAINT checkpoints_default_ready CHECK (NOT is_default OR state = 'ready'),
  CONSTRAINT checkpoints_label_length CHECK (char_length(label) BETWEEN 2 AND 100),
  CONSTRAINT checkpoints_label_trimmed CHECK (label = btrim(label, E' \t\n\v\f\r')),
  CONSTRAINT checkpoints_folder_form CHECK (folder_name ~ '^[a-z0-9_-]{1,50}$'),
  CONSTRAINT checkpoints_artifact_folder CHECK (
    starts_with(artifact_key, 'projects/' || project_id::text || '/checkpoints/' || folder_name)
  ),
  CONSTRAINT checkpoints_not_own_link CHECK (linked_checkpoint_id <> id)
);
-- A checkpoint that is being deleted frees its label at once, but keeps its folder name until its files are gone.
CREATE UNIQUE INDEX checkpoints_label ON checkpoints (project_id, label) WHERE state <> 'deleting';
CREATE UNIQUE INDEX checkpoints_folder ON checkpoints (project_id, folder_name);
CREATE UNIQUE INDEX checkpoints_slot ON checkpoints (project_id, slot);
CREATE UNIQUE INDEX checkpoints_one_default ON checkpoints (project_id) WHERE is_default;
CREATE INDEX checkpoints_model_id_index ON checkpoints (model_id);
CREATE INDEX checkpoints_linked_checkpoint_id_index ON checkpoints (linked_checkpoint_id);

CREATE TABLE checkpoint_dependencies (
  checkpoint_id uuid NOT NULL,
  upstream_project_id uuid NOT NULL,
  upstream_checkpoint_id uuid NOT NULL,
  CONSTRAINT checkpoint_dependencies_checkpoint_id_upstream_project_id_pk PRIMARY KEY (checkpoint_id, upstream_project_id)
);

-- A project with ready checkpoints has a default one; the index checkpoints_one_default rejects a second. Deferred, so
-- that a transaction can move the default in two steps. The lock on the project's row serialises two transactions
-- that each would leave a default, but together would not.
CREATE FUNCTION checkpoints_require_default() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project uuid := coalesce(NEW.project_id, OLD.project_id);
BEGIN
  IF NOT (coalesce(NEW.state = 'ready' AND OLD.state IS DISTINCT FROM 'ready', false)
    OR coalesce(OLD.is_default AND NEW.is_default IS NOT TRUE, false)) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM projects WHERE id = project FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM checkpoints WHERE project_id = project AND state = 'ready')
    AND NOT EXISTS (SELECT FROM checkpoints WHERE project_id = project AND is_default) THEN
    RAISE EXCEPTION 'project % has checkpoints but no default', project
      USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoints_require_default';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER checkpoints_require_default AFTER INSERT OR UPDATE OR DELETE ON checkpoints
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION checkpoints_require_default();

-- A checkpoint is a snapshot:
-- - A new one copies the columns that describe its model, and is linked only to a checkpoint of another project.
-- - Its state goes from reserved to ready to deleting. The folder of its files is known when it becomes ready.
-- - The columns that describe the model never change. References to the model and to the linked checkpoint are set at
--   creation. They can end, but not change, so links form no cycle.
-- - One that a scenario uses cannot be deleted. FOR UPDATE waits for transactions that are about to reference it.
CREATE FUNCTION checkpoints_are_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['label', 'description', 'state', 'slot', 'is_default', 'linked_checkpoint_id', 'model_id', 'updated_at'];
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state, NEW.state) = ('reserved', 'ready') THEN
    may_change := array_append(may_change, 'artifact_key');
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM checkpoints WHERE id = NEW.linked_checkpoint_id AND project_id = NEW.project_id)
      AND NOT EXISTS (
        SELECT FROM models m WHERE m.id = NEW.model_id AND m.project_id = NEW.project_id AND
          (m.model_name, m.algorithm, m.target, m.target_metric, m.primary_metric_value, m.training_metrics, m.input_features,
            m.feature_engineering, m.model_format, m.artifact_bytes, m.sha256, m.trained_at, m.training_rows)
          IS DISTINCT FROM
          (NEW.model_name, NEW.algorithm, NEW.target, NEW.target_metric, NEW.primary_metric_value, NEW.training_metrics, NEW.input_features,
            NEW.feature_engineering, NEW.model_format, NEW.artifact_bytes, NEW.sha256, NEW.trained_at, NEW.training_rows)
      ) THEN
      RETURN NEW;
    END IF;
  ELSIF to_jsonb(NEW) - may_change = to_jsonb(OLD) - may_change
    AND (NEW.linked_checkpoint_id IS NULL OR NEW.linked_checkpoint_id IS NOT DISTINCT FROM OLD.linked_checkpoint_id)
    AND (NEW.model_id IS NULL OR NEW.model_id IS NOT DISTINCT FROM OLD.model_id)
    AND (NEW.state = OLD.state OR (OLD.state, NEW.state) IN (('reserved', 'ready'), ('ready', 'deleting'))) THEN
    IF OLD.state = 'ready' AND NEW.state = 'deleting' THEN
      PERFORM FROM checkpoints WHERE id = OLD.id FOR UPDATE;
      IF EXISTS (SELECT FROM scenarios WHERE checkpoint_id = OLD.id)
        OR EXISTS (SELECT FROM scenario_checkpoints WHERE checkpoint_id = OLD.id) THEN
        RAISE EXCEPTION 'checkpoint % is used by a scenario', OLD.id
          USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'checkpoints_in_use';
      END IF;
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the change of checkpoint % is not permitted', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoints_are_snapshots';
END $$;

CREATE TRIGGER checkpoints_are_snapshots BEFORE INSERT OR UPDATE ON checkpoints
  FOR EACH ROW EXECUTE FUNCTION checkpoints_are_snapshots();

-- A checkpoint appears once its artifacts are complete.
CREATE TRIGGER checkpoints_begin_reserved AFTER INSERT ON checkpoints
  FOR EACH ROW WHEN (NEW.state <> 'reserved') EXECUTE FUNCTION reject_change();

-- The upstream checkpoint belongs to the upstream project. No foreign key checks this, because the row outlives the
-- deletion of the upstream checkpoint.
CREATE FUNCTION checkpoint_dependencies_match_upstream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM checkpoints WHERE id = NEW.checkpoint_id AND project_id = NEW.upstream_project_id
      OR id = NEW.upstream_checkpoint_id AND project_id <> NEW.upstream_project_id) THEN
    RAISE EXCEPTION 'checkpoint % does not belong to project %', NEW.upstream_checkpoint_id, NEW.upstream_project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoint_dependencies_match_upstream';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER checkpoint_dependencies_match_upstream AFTER INSERT ON checkpoint_dependencies
  FOR EACH ROW EXECUTE FUNCTION checkpoint_dependencies_match_upstream();

CREATE TRIGGER checkpoint_dependencies_never_change AFTER UPDATE ON checkpoint_dependencies
  FOR EACH ROW EXECUTE FUNCTION reject_change();

-- Jobs ---------------------------------------------------------------------------------------------------------------

CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  type text NOT NULL,
  status text NOT NULL,
  payload jsonb NOT NULL,
  progress double precision DEFAULT 0 NOT NULL,
  stage text,
  message text,
  rows_total integer,
  rows_processed integer,
  scenario_id uuid,
  checkpoint_id uuid,
  model_id uuid,
  error_code text,
  error_message text,
  output_options jsonb,
  attempt integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  interruptions integer DEFAULT 0 NOT NULL,
  queue_position integer DEFAULT 0 NOT NULL,
  retry_of uuid,
  cancel_requested boolean DEFAULT false NOT NULL,
  request_id text,
  created_by text NOT NULL,
  api_key_id uuid,
  created_at timestamptz DEFAULT now() NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  CONSTRAINT jobs_type CHECK (type IN ('CreateScenario', 'CreateCheckpoint', 'DeleteCheckpoint', 'TrainModel', 'ImportModel', 'DeleteScenario', 'DeleteProject')),
  CONSTRAINT jobs_status CHECK (status IN ('Pending', 'Running', 'Completed', 'Failed', 'Cancelled')),
  CONSTRAINT jobs_attempts CHECK (failures >= 0 AND interruptions >= 0 AND failures + interruptions <= attempt),
  CONSTRAINT jobs_progress CHECK (progress BETWEEN 0 AND 100),
  CONSTRAINT jobs_completed CHECK (status <> 'Completed' OR progress = 100),
  CONSTRAINT jobs_rows CHECK (num_nulls(rows_total, rows_processed) <> 1 AND rows_processed BETWEEN 0 AND rows_total),
  CONSTRAINT jobs_begun CHECK (
    (attempt > 0) = (started_at IS NOT NULL)
    AND (attempt = 0 OR status <> 'Pending')
    AND (attempt > 0 OR status IN ('Pending', 'Cancelled'))
  ),
  CONSTRAINT jobs_error CHECK ((status = 'Failed') = (error_code IS NOT NULL) AND num_nulls(error_code, error_message) <> 1),
  CONSTRAINT jobs_output_options CHECK (output_options IS NULL OR type = 'ImportModel'),
  CONSTRAINT jobs_finished CHECK ((status IN ('Completed', 'Failed', 'Cancelled')) = (finished_at IS NOT NULL))
);
CREATE INDEX jobs_project_id_created_at_id_index ON jobs (project_id, created_at, id);
CREATE INDEX jobs_scenario_id_index ON jobs (scenario_id);
-- A job has one retry that has not failed. If that retry fails too, another one may follow.
CREATE UNIQUE INDEX jobs_retried_once ON jobs (retry_of) WHERE status IN ('Pending', 'Running', 'Completed');
-- The next position in a queue follows the project's last waiting job and the last job that began.
CREATE INDEX jobs_waiting_of_project ON jobs (project_id, type, queue_position) WHERE status = 'Pending';
CREATE INDEX jobs_begun_by_queue_position ON jobs (type, queue_position) WHERE attempt > 0;
CREATE INDEX jobs_open ON jobs (type, status, created_at) WHERE status IN ('Pending', 'Running');

CREATE TRIGGER jobs_begin_pending AFTER INSERT ON jobs
  FOR EACH ROW WHEN (NEW.status <> 'Pending') EXECUTE FUNCTION reject_change();

-- A worker that resumes late cannot undo later records of other workers:
-- - A job goes from Pending to Running to an end, or from Pending to Cancelled. Running to Running is another attempt.
--   A job that has ended never changes.
-- - The task of a job never changes. The scenario, checkpoint and model that it works on are set once.
-- - Attempts increase. Progress never decreases within an attempt. A cancellation is not withdrawn.
CREATE FUNCTION jobs_legal_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('Completed', 'Failed', 'Cancelled') AND NEW IS DISTINCT FROM OLD
    OR OLD.status = 'Running' AND NEW.status = 'Pending'
    OR OLD.status = 'Pending' AND NEW.status IN ('Completed', 'Failed') THEN
    RAISE EXCEPTION 'job % cannot go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_legal_transition';
  END IF;
  IF (NEW.id, NEW.project_id, NEW.type, NEW.payload, NEW.retry_of, NEW.created_at, NEW.created_by)
      IS DISTINCT FROM (OLD.id, OLD.project_id, OLD.type, OLD.payload, OLD.retry_of, OLD.created_at, OLD.created_by)
    OR (NEW.scenario_id, NEW.checkpoint_id, NEW.model_id) IS DISTINCT FROM (
      coalesce(OLD.scenario_id, NEW.scenario_id), coalesce(OLD.checkpoint_id, NEW.checkpoint_id), coalesce(OLD.model_id, NEW.model_id))
    OR NEW.attempt < OLD.attempt OR NEW.attempt = OLD.attempt AND NEW.progress < OLD.progress
    OR OLD.cancel_requested AND NOT NEW.cancel_requested THEN
    RAISE EXCEPTION 'job % cannot return to an earlier value', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_never_go_back';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER jobs_legal_transition BEFORE UPDATE ON jobs
  FOR EACH ROW EXECUTE FUNCTION jobs_legal_transition();

-- A retry repeats a job of the same project and type that failed or was cancelled.
CREATE FUNCTION jobs_retry_failed_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM jobs WHERE id = NEW.retry_of AND project_id = NEW.project_id AND type = NEW.type
      AND status IN ('Failed', 'Cancelled')) THEN
    RAISE EXCEPTION 'job % cannot be a retry of %', NEW.id, NEW.retry_of
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_retry_failed_job';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER jobs_retry_failed_job BEFORE INSERT ON jobs
  FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL) EXECUTE FUNCTION jobs_retry_failed_job();

-- Scenarios ----------------------------------------------------------------------------------------------------------

-- At most 10 distinct texts of 1 to 50 characters without spaces at their ends.
CREATE FUNCTION are_tags(tags text[]) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT count(*) <= 10 AND count(*) = count(DISTINCT tag)
    AND coalesce(bool_and(char_length(tag) BETWEEN 1 AND 50 AND tag = btrim(tag, E' \t\n\v\f\r')), true)
  FROM unnest(tags) AS tag
$$;

CREATE TABLE scenarios (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  notes text,
  tags text[] DEFAULT '{}' NOT NULL,
  color text NOT NULL,
  checkpoint_id uuid,
  job_id uuid NOT NULL,
  source text NOT NULL,
  file_name text,
  end_date timestamptz,
  base_scenario_id uuid,
  adjustments jsonb DEFAULT '[]' NOT NULL,
  input_key text,
  row_count integer,
  first_timestamp timestamptz,
  last_timestamp timestamptz,
  summary jsonb,
  -- Values from which other intervals are computed: see `IntervalShape` in lib/contract/interval-shape.ts.
  intervals jsonb,
  -- Sums for the intervals of totals over any span: see `StoredTotals` in lib/engine/intervals/stored-totals.ts.
  totals bytea STORAGE EXTERNAL,
  warnings jsonb DEFAULT '[]' NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT scenarios_tenant UNIQUE (project_id, id),
  CONSTRAINT scenarios_not_own_base CHECK (base_scenario_id <> id),
  CONSTRAINT scenarios_source CHECK (source IN ('Upload', 'Generated', 'Clone')),
  CONSTRAINT scenarios_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
  CONSTRAINT scenarios_title_trimmed CHECK (title = btrim(title, E' \t\n\v\f\r')),
  CONSTRAINT scenarios_notes_length CHECK (char_length(notes) <= 5000),
  CONSTRAINT scenarios_tags_form CHECK (are_tags(tags)),
  CONSTRAINT scenarios_color_form CHECK (color ~ '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'),
  -- A deleted scenario no longer keeps its checkpoint from deletion.
  CONSTRAINT scenarios_deleted_without_checkpoint CHECK (deleted_at IS NULL OR checkpoint_id IS NULL),
  CONSTRAINT scenarios_result_complete CHECK (num_nulls(row_count, summary, input_key) IN (0, 3))
);
CREATE INDEX scenarios_project_id_created_at_index ON scenarios (project_id, created_at);
CREATE INDEX scenarios_checkpoint_id_index ON scenarios (checkpoint_id);
CREATE INDEX scenarios_job_id_index ON scenarios (job_id);
CREATE INDEX scenarios_base_scenario_id_index ON scenarios (base_scenario_id);

-- Pinned checkpoints.
CREATE TABLE scenario_checkpoints (
  scenario_id uuid NOT NULL,
  upstream_project_id uuid NOT NULL,
  checkpoint_id uuid,
  CONSTRAINT scenario_checkpoints_scenario_id_upstream_project_id_pk PRIMARY KEY (scenario_id, upstream_project_id)
);
CREATE INDEX scenario_checkpoints_checkpoint_id_index ON scenario_checkpoints (checkpoint_id);
CREATE INDEX scenario_checkpoints_upstream_project_id_index ON scenario_checkpoints (upstream_project_id);

-- A new scenario has a checkpoint. Its result follows with its job.
CREATE TRIGGER scenarios_begin_without_result AFTER INSERT ON scenarios
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NULL OR NEW.row_count IS NOT NULL OR NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION reject_change();

-- A scenario may change its title, description, notes, tags and colour. Other triggers check its job and checkpoint. The reference to
-- its base scenario can only end, its result is stored once, and a deleted scenario never returns.
CREATE FUNCTION scenarios_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'notes', 'tags', 'color', 'checkpoint_id', 'job_id', 'base_scenario_id', 'deleted_at', 'updated_at'];
BEGIN
  IF OLD.row_count IS NULL AND NEW.row_count IS NOT NULL THEN
    may_change := may_change || ARRAY['input_key', 'row_count', 'first_timestamp', 'last_timestamp', 'summary', 'intervals', 'totals', 'warnings'];
  END IF;
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change
    OR NEW.base_scenario_id IS NOT NULL AND NEW.base_scenario_id IS DISTINCT FROM OLD.base_scenario_id
    OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN
    RAISE EXCEPTION 'the change of scenario % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_fixed_columns';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER scenarios_fixed_columns AFTER UPDATE ON scenarios
  FOR EACH ROW EXECUTE FUNCTION scenarios_fixed_columns();

-- A scenario starts with its own job and moves on only to the retry of that job. At that time it has its checkpoint,
-- and one pinned checkpoint of each direct and indirect upstream project, and of no other project.
CREATE FUNCTION scenarios_require_job_and_checkpoints() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM jobs j WHERE j.id = NEW.job_id AND j.type = 'CreateScenario' AND j.project_id = NEW.project_id
      AND j.scenario_id = NEW.id AND j.status = 'Pending' AND j.retry_of IS NOT DISTINCT FROM OLD.job_id
  ) OR NEW.checkpoint_id IS NULL OR EXISTS (
    WITH RECURSIVE needed(id) AS (
      SELECT upstream_project_id FROM project_dependencies WHERE project_id = NEW.project_id
      UNION
      SELECT next.id FROM needed, LATERAL (
        SELECT upstream_project_id AS id FROM project_dependencies WHERE project_id = needed.id OFFSET 0
      ) next
    )
    SELECT FROM needed
    FULL JOIN (SELECT * FROM scenario_checkpoints WHERE scenario_id = NEW.id) pinned ON pinned.upstream_project_id = needed.id
    WHERE needed.id IS NULL OR pinned.checkpoint_id IS NULL
  ) THEN
    RAISE EXCEPTION 'scenario % lacks its job or a checkpoint', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_require_job_and_checkpoints';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER scenarios_require_job_and_checkpoints AFTER INSERT OR UPDATE OF job_id ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION scenarios_require_job_and_checkpoints();

-- A scenario has the status of its job, so each new job of a scenario becomes the job of its row.
CREATE FUNCTION jobs_latest_of_scenario() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM scenarios WHERE id = NEW.scenario_id AND job_id <> NEW.id) THEN
    RAISE EXCEPTION 'scenario % has another job than %', NEW.scenario_id, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_latest_of_scenario';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER jobs_latest_of_scenario AFTER INSERT ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario')
  EXECUTE FUNCTION jobs_latest_of_scenario();

-- The row of a checkpoint that is being deleted remains until a job deletes it, so foreign keys alone would accept new
-- references to it. Its deletion locks the row first. A concurrent reference waits here for that lock, and is then
-- rejected as a reference to a missing checkpoint.
CREATE FUNCTION checkpoint_is_not_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM checkpoints WHERE id = NEW.checkpoint_id AND state <> 'deleting' FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'checkpoint % does not exist', NEW.checkpoint_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER scenarios_checkpoint_is_not_deleting BEFORE INSERT OR UPDATE OF checkpoint_id ON scenarios
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_is_not_deleting('scenarios_checkpoint');
CREATE TRIGGER scenario_checkpoints_checkpoint_is_not_deleting BEFORE INSERT OR UPDATE OF checkpoint_id ON scenario_checkpoints
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_is_not_deleting('scenario_checkpoints_checkpoint');

-- A scenario always uses the same model versions. It leaves a checkpoint only with its own deletion, or when its job
-- failed or was cancelled before that checkpoint was saved.
CREATE FUNCTION keep_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scenario uuid;
BEGIN
  IF TG_TABLE_NAME = 'scenarios' THEN scenario := NEW.id; ELSE scenario := NEW.scenario_id; END IF;
  PERFORM FROM checkpoints WHERE id = OLD.checkpoint_id FOR SHARE;
  IF NEW.checkpoint_id IS NOT NULL
    OR EXISTS (SELECT FROM checkpoints WHERE id = OLD.checkpoint_id AND state <> 'reserved')
    OR EXISTS (SELECT FROM scenarios s JOIN jobs j ON j.id = s.job_id WHERE s.id = scenario AND j.status NOT IN ('Failed', 'Cancelled')) THEN
    RAISE EXCEPTION 'checkpoint % is used by a scenario', OLD.checkpoint_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER scenarios_keep_checkpoint AFTER UPDATE OF checkpoint_id ON scenarios
  FOR EACH ROW WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION keep_checkpoint();
CREATE TRIGGER scenario_checkpoints_keep_checkpoint AFTER UPDATE OF checkpoint_id ON scenario_checkpoints
  FOR EACH ROW WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION keep_checkpoint();

-- The pinned checkpoints of a scenario are fixed before its job exists, and are deleted only with the scenario.
CREATE FUNCTION scenario_checkpoints_fixed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND EXISTS (SELECT FROM scenarios s JOIN jobs j ON j.id = s.job_id WHERE s.id = NEW.scenario_id)
    OR TG_OP = 'DELETE' AND EXISTS (
      SELECT FROM scenarios s JOIN projects p ON p.id = s.project_id
      WHERE s.id = OLD.scenario_id AND s.deleted_at IS NULL AND p.deleted_at IS NULL
    ) THEN
    RAISE EXCEPTION 'the pinned checkpoints of scenario % are fixed', coalesce(NEW.scenario_id, OLD.scenario_id)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_checkpoints_fixed_rows';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER scenario_checkpoints_fixed_rows AFTER INSERT OR DELETE ON scenario_checkpoints
  FOR EACH ROW EXECUTE FUNCTION scenario_checkpoints_fixed_rows();
CREATE TRIGGER scenario_checkpoints_fixed_key AFTER UPDATE ON scenario_checkpoints
  FOR EACH ROW WHEN ((OLD.scenario_id, OLD.upstream_project_id) IS DISTINCT FROM (NEW.scenario_id, NEW.upstream_project_id))
  EXECUTE FUNCTION reject_change();

-- Predictions --------------------------------------------------------------------------------------------------------

CREATE TABLE prediction_chunks (
  scenario_id uuid NOT NULL,
  series text NOT NULL,
  chunk smallint NOT NULL,
  row_start integer NOT NULL,
  row_count integer NOT NULL,
  -- Compression hardly shrinks floating-point digits, and would take most of the time to store and read them.
  data bytea STORAGE EXTERNAL NOT NULL,
  CONSTRAINT prediction_chunks_scenario_id_series_chunk_pk PRIMARY KEY (scenario_id, series, chunk),
  CONSTRAINT prediction_chunks_series CHECK (series IN ('timestamp', 'prediction', 'lower', 'upper')),
  -- The number of a chunk determines its rows, so with the key chunks do not overlap. 65536 is `CHUNK_VALUES` of
  -- lib/engine/series/chunks.ts.
  CONSTRAINT prediction_chunks_rows CHECK (chunk >= 0 AND row_start = chunk * 65536 AND row_count BETWEEN 1 AND 65536),
  CONSTRAINT prediction_chunks_length CHECK (octet_length(data) = 8 * row_count)
);

-- A job stores its scenario's result in the transaction that completes it. The argument is the status that the job must
-- have. FOR SHARE keeps the job in that status until the transaction ends.
CREATE FUNCTION require_scenario_job_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scenario uuid;
  present text;
BEGIN
  IF TG_TABLE_NAME = 'scenarios' THEN scenario := NEW.id; ELSE scenario := NEW.scenario_id; END IF;
  SELECT j.status INTO present FROM scenarios s JOIN jobs j ON j.id = s.job_id WHERE s.id = scenario FOR SHARE OF j;
  IF present <> TG_ARGV[0] THEN
    RAISE EXCEPTION 'the job of scenario % is %', scenario, present
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER scenarios_result_requires_completed_job AFTER UPDATE ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.row_count IS NULL AND NEW.row_count IS NOT NULL)
  EXECUTE FUNCTION require_scenario_job_status('Completed');
CREATE TRIGGER prediction_chunks_require_running_job AFTER INSERT ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION require_scenario_job_status('Running');
CREATE CONSTRAINT TRIGGER prediction_chunks_require_completed_job AFTER INSERT ON prediction_chunks
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_scenario_job_status('Completed');

-- Predictions never change, and are deleted only with their scenario.
CREATE FUNCTION prediction_chunks_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM scenarios WHERE id = OLD.scenario_id) THEN
    RAISE EXCEPTION 'the predictions of scenario % cannot change', OLD.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'prediction_chunks_never_change';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER prediction_chunks_never_change AFTER UPDATE OR DELETE ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION prediction_chunks_never_change();

-- A completed scenario exists, has all of its checkpoints, and has a prediction for each row: all series have the same
-- length and no gap, and both bounds of the interval exist or neither. Deferred, because the transaction that
-- completes the job stores the predictions in any order.
CREATE FUNCTION scenarios_complete_with_predictions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM scenarios s
    JOIN checkpoints main ON main.id = s.checkpoint_id AND main.state = 'ready'
    JOIN LATERAL (
      SELECT c.series, sum(c.row_count) AS rows, max(c.row_start + c.row_count) AS until
      FROM prediction_chunks c WHERE c.scenario_id = s.id GROUP BY c.series
    ) stored ON true
    WHERE s.id = NEW.scenario_id AND s.deleted_at IS NULL AND s.job_id = NEW.id AND NOT EXISTS (
      SELECT FROM scenario_checkpoints p LEFT JOIN checkpoints c ON c.id = p.checkpoint_id
      WHERE p.scenario_id = s.id AND c.state IS DISTINCT FROM 'ready')
    GROUP BY s.id
    HAVING bool_and((stored.rows, stored.until) IS NOT DISTINCT FROM (s.row_count::bigint, s.row_count))
      AND count(*) FILTER (WHERE stored.series = 'prediction') = 1
      AND count(*) FILTER (WHERE stored.series IN ('lower', 'upper')) <> 1
  ) THEN
    RAISE EXCEPTION 'scenario % lacks predictions', NEW.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_complete_with_predictions';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER scenarios_complete_with_predictions AFTER UPDATE ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario' AND NEW.status = 'Completed' AND OLD.status <> 'Completed')
  EXECUTE FUNCTION scenarios_complete_with_predictions();

-- Saved comparisons --------------------------------------------------------------------------------------------------

CREATE TABLE comparisons (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  slot smallint NOT NULL,
  name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  CONSTRAINT comparisons_tenant UNIQUE (project_id, id),
  -- A number from 1 to 100, unique in the project, limits a project to 100 comparisons.
  CONSTRAINT comparisons_slot_range CHECK (slot BETWEEN 1 AND 100),
  CONSTRAINT comparisons_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT comparisons_name_trimmed CHECK (name = btrim(name, E' \t\n\v\f\r'))
);
CREATE UNIQUE INDEX comparisons_slot ON comparisons (project_id, slot);
CREATE INDEX comparisons_project_id_created_at_index ON comparisons (project_id, created_at);

CREATE TABLE comparison_scenarios (
  project_id uuid NOT NULL,
  comparison_id uuid NOT NULL,
  position smallint NOT NULL,
  scenario_id uuid NOT NULL,
  CONSTRAINT comparison_scenarios_comparison_id_position_pk PRIMARY KEY (comparison_id, position),
  CONSTRAINT comparison_scenarios_once UNIQUE (comparison_id, scenario_id),
  -- 20 scenarios, the limit of a comparison.
  CONSTRAINT comparison_scenarios_position CHECK (position BETWEEN 0 AND 19)
);
CREATE INDEX comparison_scenarios_scenario_id_index ON comparison_scenarios (scenario_id);

-- A deleted scenario is in no comparison. Its row stays until its job has removed its data, so the foreign key alone
-- would keep it there. FOR SHARE waits for a deletion, which then finds this row or has rejected it.
CREATE FUNCTION comparison_scenarios_exist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM scenarios WHERE id = NEW.scenario_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'scenario % does not exist', NEW.scenario_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'comparison_scenarios_exist';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER comparison_scenarios_exist BEFORE INSERT OR UPDATE ON comparison_scenarios
  FOR EACH ROW EXECUTE FUNCTION comparison_scenarios_exist();

CREATE FUNCTION scenarios_leave_comparisons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM comparison_scenarios WHERE scenario_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER scenarios_leave_comparisons AFTER UPDATE OF deleted_at ON scenarios
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION scenarios_leave_comparisons();

-- Events -------------------------------------------------------------------------------------------------------------

CREATE TABLE outbox_events (
  sequence bigserial PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  published_at timestamptz,
  CONSTRAINT outbox_events_name CHECK (name IN ('checkpoint-created', 'checkpoint-failed', 'checkpoint-deleted', 'job-updated', 'scenario-completed', 'scenario-failed', 'model-trained')),
  CONSTRAINT outbox_events_payload CHECK (payload ?& ARRAY['eventId', 'entityId'] AND payload ->> 'projectId' = project_id::text)
);
CREATE INDEX outbox_events_waiting ON outbox_events (sequence) WHERE published_at IS NULL;
CREATE INDEX outbox_events_published ON outbox_events (published_at) WHERE published_at IS NOT NULL;

-- An event gets its number when its transaction commits, so a reader that has seen a number can see every lower one.
-- 1869968494 is the lock of this trigger alone. It is the last lock of a transaction and lasts for the commit, which
-- NOTIFY serialises anyway (docs/decisions/0088).
CREATE FUNCTION outbox_events_number_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1869968494);
  UPDATE outbox_events SET sequence = nextval('outbox_events_sequence_seq') WHERE sequence = NEW.sequence;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER outbox_events_number_at_commit AFTER INSERT ON outbox_events
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.published_at IS NULL)
  EXECUTE FUNCTION outbox_events_number_at_commit();

CREATE TABLE connection_ends (
  id bigserial PRIMARY KEY,
  user_name text NOT NULL,
  due_at timestamptz NOT NULL,
  CONSTRAINT connection_ends_user_name CHECK (user_name ~ '^(key|user|project)-.')
);
CREATE INDEX connection_ends_due_at_index ON connection_ends (due_at);

-- API keys, rate limits, idempotency and audit -----------------------------------------------------------------------

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  prefix text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  last_used_at timestamptz,
  expires_at timestamptz,
  created_to_expire_at timestamptz,
  revoked_at timestamptz,
  -- The forms reject the key itself, which is never stored.
  CONSTRAINT api_keys_hash_form CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT api_keys_prefix_form CHECK (prefix ~ '^mps_[0-9A-Za-z]{4}$'),
  CONSTRAINT api_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT api_keys_expiry_not_extended CHECK (coalesce(expires_at <= created_to_expire_at, created_to_expire_at IS NULL))
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_project_id_index ON api_keys (project_id);
CREATE INDEX api_keys_created_by_index ON api_keys (created_by);

-- A revoked key stays revoked, an expiry never moves to a later time, and a key never becomes another one.
CREATE FUNCTION api_keys_stay_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at
    OR OLD.expires_at < coalesce(NEW.expires_at, 'infinity')
    OR (NEW.id, NEW.project_id, NEW.hash, NEW.prefix, NEW.created_at, NEW.created_by, NEW.created_to_expire_at)
      IS DISTINCT FROM
      (OLD.id, OLD.project_id, OLD.hash, OLD.prefix, OLD.created_at, OLD.created_by, OLD.created_to_expire_at) THEN
    RAISE EXCEPTION 'the change of API key % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'api_keys_stay_revoked';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION api_keys_stay_revoked();

CREATE TABLE api_key_uses (
  api_key_id uuid NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  CONSTRAINT api_key_uses_api_key_id_day_pk PRIMARY KEY (api_key_id, day),
  CONSTRAINT api_key_uses_requests CHECK (requests > 0)
);
-- Housekeeping deletes old days.
CREATE INDEX api_key_uses_day_index ON api_key_uses (day);

CREATE TABLE call_rates (
  subject text PRIMARY KEY,
  arrival double precision NOT NULL,
  granted integer DEFAULT 1 NOT NULL
);

CREATE TABLE idempotency_keys (
  owner text NOT NULL,
  key text NOT NULL,
  request_id uuid NOT NULL,
  call_hash text NOT NULL,
  body_hash text,
  answer bytea,
  created_at timestamptz DEFAULT now() NOT NULL,
  locked_until timestamptz NOT NULL,
  CONSTRAINT idempotency_keys_owner_key_pk PRIMARY KEY (owner, key),
  CONSTRAINT idempotency_keys_length CHECK (char_length(key) BETWEEN 1 AND 255)
);
CREATE INDEX idempotency_keys_created_at_index ON idempotency_keys (created_at);

-- No foreign keys: entries outlive the rows that they name.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  project_id uuid,
  created_at timestamptz DEFAULT now() NOT NULL,
  actor_id text NOT NULL,
  api_key_id uuid,
  action text NOT NULL,
  entity_type text NOT NULL,
  entity_id text NOT NULL,
  label text,
  request_id text
);
CREATE INDEX audit_log_project_id_created_at_index ON audit_log (project_id, created_at);
CREATE INDEX audit_log_created_at_id_index ON audit_log (created_at, id);

-- Artifacts ----------------------------------------------------------------------------------------------------------

-- Folders of the artifact store that no row references. Workers delete those that are due (docs/decisions/0087).
CREATE TABLE orphaned_artifacts (
  key text PRIMARY KEY,
  due_at timestamptz NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT orphaned_artifacts_attempts CHECK (attempts >= 0)
);
CREATE INDEX orphaned_artifacts_due ON orphaned_artifacts (due_at);

-- The deletion of a row records its folders in the same transaction. Triggers do this because cascades delete rows too.
CREATE FUNCTION discard_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orphaned_artifacts (key, due_at) VALUES (OLD.artifact_key, now())
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;

CREATE FUNCTION discard_scenario_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE folder text := 'projects/' || OLD.project_id || '/scenarios/' || OLD.id;
BEGIN
  INSERT INTO orphaned_artifacts (key, due_at)
    SELECT key, now() FROM unnest(ARRAY[folder || '/sent', folder || '/others', OLD.input_key]) key WHERE key IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;

CREATE FUNCTION discard_project_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orphaned_artifacts (key, due_at) VALUES ('projects/' || OLD.id, now())
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;

CREATE TRIGGER datasets_discard_artifact AFTER DELETE ON datasets
  FOR EACH ROW EXECUTE FUNCTION discard_artifact();
CREATE TRIGGER uploads_discard_artifact AFTER DELETE ON uploads
  FOR EACH ROW EXECUTE FUNCTION discard_artifact();
CREATE TRIGGER models_discard_artifact AFTER DELETE ON models
  FOR EACH ROW EXECUTE FUNCTION discard_artifact();
CREATE TRIGGER checkpoints_discard_artifact AFTER DELETE ON checkpoints
  FOR EACH ROW EXECUTE FUNCTION discard_artifact();
CREATE TRIGGER scenarios_discard_artifacts AFTER DELETE ON scenarios
  FOR EACH ROW EXECUTE FUNCTION discard_scenario_artifacts();
CREATE TRIGGER projects_discard_artifacts AFTER DELETE ON projects
  FOR EACH ROW EXECUTE FUNCTION discard_project_artifacts();

-- Foreign keys -------------------------------------------------------------------------------------------------------

-- Keys that include the project reject references to rows of another project. Jobs, events and the audit log have no
-- keys to projects, because they outlive them.
--
-- The order matters: PostgreSQL runs the actions of a deletion in the order in which the keys were created. A project's
-- checkpoints go before its models, for example, so that no checkpoint is updated just before it is deleted.
ALTER TABLE api_keys ADD CONSTRAINT api_keys_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE checkpoint_dependencies ADD CONSTRAINT checkpoint_dependencies_checkpoint_id_checkpoints_id_fk
  FOREIGN KEY (checkpoint_id) REFERENCES checkpoints (id) ON DELETE CASCADE;
ALTER TABLE checkpoints ADD CONSTRAINT checkpoints_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE checkpoints ADD CONSTRAINT checkpoints_linked_checkpoint_id_checkpoints_id_fk
  FOREIGN KEY (linked_checkpoint_id) REFERENCES checkpoints (id) ON DELETE SET NULL;
ALTER TABLE datasets ADD CONSTRAINT datasets_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE uploads ADD CONSTRAINT uploads_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE models ADD CONSTRAINT models_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE project_dependencies ADD CONSTRAINT project_dependencies_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE project_dependencies ADD CONSTRAINT project_dependencies_upstream_project_id_projects_id_fk
  FOREIGN KEY (upstream_project_id) REFERENCES projects (id) ON DELETE RESTRICT;
ALTER TABLE prediction_chunks ADD CONSTRAINT prediction_chunks_scenario_id_scenarios_id_fk
  FOREIGN KEY (scenario_id) REFERENCES scenarios (id) ON DELETE CASCADE;
ALTER TABLE scenario_checkpoints ADD CONSTRAINT scenario_checkpoints_scenario_id_scenarios_id_fk
  FOREIGN KEY (scenario_id) REFERENCES scenarios (id) ON DELETE CASCADE;
ALTER TABLE scenario_checkpoints ADD CONSTRAINT scenario_checkpoints_checkpoint
  FOREIGN KEY (upstream_project_id, checkpoint_id) REFERENCES checkpoints (project_id, id) ON DELETE RESTRICT;
ALTER TABLE scenarios ADD CONSTRAINT scenarios_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE scenarios ADD CONSTRAINT scenarios_checkpoint
  FOREIGN KEY (project_id, checkpoint_id) REFERENCES checkpoints (project_id, id) ON DELETE RESTRICT;
ALTER TABLE comparisons ADD CONSTRAINT comparisons_project_id_projects_id_fk
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE;
ALTER TABLE comparison_scenarios ADD CONSTRAINT comparison_scenarios_comparison
  FOREIGN KEY (project_id, comparison_id) REFERENCES comparisons (project_id, id) ON DELETE CASCADE;
ALTER TABLE comparison_scenarios ADD CONSTRAINT comparison_scenarios_scenario
  FOREIGN KEY (project_id, scenario_id) REFERENCES scenarios (project_id, id) ON DELETE CASCADE;
ALTER TABLE account ADD CONSTRAINT account_user_id_user_id_fk
  FOREIGN KEY (user_id) REFERENCES "user" (id) ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_user_id_user_id_fk
  FOREIGN KEY (user_id) REFERENCES "user" (id) ON DELETE CASCADE;
-- SET NULL of a key that includes the project clears the other column alone: the row stays in its project.
ALTER TABLE checkpoints ADD CONSTRAINT checkpoints_model
  FOREIGN KEY (project_id, model_id) REFERENCES models (project_id, id) ON DELETE SET NULL (model_id);
ALTER TABLE projects ADD CONSTRAINT projects_current_model
  FOREIGN KEY (id, current_model_id) REFERENCES models (project_id, id) ON DELETE SET NULL (current_model_id);
-- Deferred: a scenario and its job name each other, and are inserted in one transaction.
ALTER TABLE scenarios ADD CONSTRAINT scenarios_job_id_jobs_id_fk
  FOREIGN KEY (job_id) REFERENCES jobs (id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE scenarios ADD CONSTRAINT scenarios_base
  FOREIGN KEY (project_id, base_scenario_id) REFERENCES scenarios (project_id, id) ON DELETE SET NULL (base_scenario_id);
ALTER TABLE api_key_uses ADD CONSTRAINT api_key_uses_api_key_id_api_keys_id_fk
  FOREIGN KEY (api_key_id) REFERENCES api_keys (id) ON DELETE CASCADE;
