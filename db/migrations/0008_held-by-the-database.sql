ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_prefix_length";--> statement-breakpoint
ALTER TABLE "checkpoints" DROP CONSTRAINT "checkpoints_model_id_models_id_fk";--> statement-breakpoint
ALTER TABLE "projects" DROP CONSTRAINT "projects_current_model_id_models_id_fk";--> statement-breakpoint
ALTER TABLE "scenarios" DROP CONSTRAINT "scenarios_base_scenario_id_scenarios_id_fk";--> statement-breakpoint
UPDATE "scenarios" SET "checkpoint_id" = NULL WHERE "deleted_at" IS NOT NULL AND "checkpoint_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_tenant" UNIQUE("project_id","id");--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_tenant" UNIQUE("project_id","id");--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_model" FOREIGN KEY ("project_id","model_id") REFERENCES "public"."models"("project_id","id") ON DELETE SET NULL ("model_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_current_model" FOREIGN KEY ("id","current_model_id") REFERENCES "public"."models"("project_id","id") ON DELETE SET NULL ("current_model_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE no action ON UPDATE no action DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_base" FOREIGN KEY ("project_id","base_scenario_id") REFERENCES "public"."scenarios"("project_id","id") ON DELETE SET NULL ("base_scenario_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user" ALTER COLUMN "role" SET NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_retried_once" ON "jobs" USING btree ("retry_of") WHERE "jobs"."status" in ('Pending', 'Running', 'Completed');--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hash_form" CHECK ("api_keys"."hash" ~ '^[0-9a-f]{64}$');--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_prefix_form" CHECK ("api_keys"."prefix" ~ '^mps_[0-9A-Za-z]{4}$');--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_name_length" CHECK (char_length("api_keys"."name") between 1 and 100);--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_state" CHECK ("checkpoints"."state" in ('reserved', 'ready', 'deleting'));--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_label_trimmed" CHECK ("checkpoints"."label" = btrim("checkpoints"."label", E' \t\n\v\f\r'));--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_artifact_folder" CHECK (starts_with("checkpoints"."artifact_key", 'projects/' || "checkpoints"."project_id"::text || '/checkpoints/' || "checkpoints"."folder_name"));--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_not_own_link" CHECK ("checkpoints"."linked_checkpoint_id" <> "checkpoints"."id");--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_numbered" CHECK ("datasets"."version" >= 1 and "datasets"."row_count" >= 0);--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_type" CHECK ("jobs"."type" in ('CreateScenario', 'CreateCheckpoint', 'DeleteCheckpoint', 'TrainModel', 'ImportModel', 'DeleteScenario', 'DeleteProject'));--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_completed" CHECK ("jobs"."status" <> 'Completed' or "jobs"."progress" = 100);--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_rows" CHECK (num_nulls("jobs"."rows_total", "jobs"."rows_processed") <> 1 and "jobs"."rows_processed" between 0 and "jobs"."rows_total");--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_begun" CHECK (("jobs"."attempt" > 0) = ("jobs"."started_at" is not null)
        and ("jobs"."attempt" = 0 or "jobs"."status" <> 'Pending') and ("jobs"."attempt" > 0 or "jobs"."status" in ('Pending', 'Cancelled')));--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_error" CHECK (("jobs"."status" = 'Failed') = ("jobs"."error_code" is not null) and num_nulls("jobs"."error_code", "jobs"."error_message") <> 1);--> statement-breakpoint
ALTER TABLE "outbox_events" ADD CONSTRAINT "outbox_events_name" CHECK ("outbox_events"."name" in ('checkpoint-created', 'checkpoint-failed', 'checkpoint-deleted', 'job-updated', 'scenario-completed', 'scenario-failed', 'model-trained'));--> statement-breakpoint
ALTER TABLE "outbox_events" ADD CONSTRAINT "outbox_events_payload" CHECK ("outbox_events"."payload" ?& array['eventId', 'entityId'] and "outbox_events"."payload" ->> 'projectId' = "outbox_events"."project_id"::text);--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_name_trimmed" CHECK ("projects"."name" = btrim("projects"."name", E' \t\n\v\f\r'));--> statement-breakpoint
ALTER TABLE "prediction_chunks" ADD CONSTRAINT "prediction_chunks_series" CHECK ("prediction_chunks"."series" in ('timestamp', 'prediction', 'lower', 'upper'));--> statement-breakpoint
ALTER TABLE "prediction_chunks" ADD CONSTRAINT "prediction_chunks_rows" CHECK ("prediction_chunks"."chunk" >= 0 and "prediction_chunks"."row_start" >= 0 and "prediction_chunks"."row_count" > 0);--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_not_own_base" CHECK ("scenarios"."base_scenario_id" <> "scenarios"."id");--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_title_trimmed" CHECK ("scenarios"."title" = btrim("scenarios"."title", E' \t\n\v\f\r'));--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_deleted_hold_nothing" CHECK ("scenarios"."deleted_at" is null or "scenarios"."checkpoint_id" is null);--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_whole_result" CHECK (num_nulls("scenarios"."row_count", "scenarios"."summary", "scenarios"."input_key") in (0, 3));--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_role" CHECK ("user"."role" in ('admin', 'analyst'));--> statement-breakpoint
-- A project with ready checkpoints has exactly one default, also where two transactions, each right by itself, change the
-- project at once: whatever may take the default away waits for the project's row, which our own code has locked by then.
CREATE OR REPLACE FUNCTION checkpoints_require_default() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
-- A checkpoint is a snapshot: what it was made of never changes, it is reserved, then ready, then being deleted, and the
-- one that it is linked to belongs to another project and may only go. Links therefore lead to no circle. One that a
-- scenario uses cannot be deleted: the row's strongest lock waits for whoever is about to refer to it.
CREATE FUNCTION checkpoints_are_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['label', 'description', 'state', 'slot', 'is_default', 'linked_checkpoint_id', 'model_id', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM checkpoints WHERE id = NEW.linked_checkpoint_id AND project_id = NEW.project_id) THEN
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
  RAISE EXCEPTION 'checkpoint % cannot become that', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoints_are_snapshots';
END $$;
--> statement-breakpoint
CREATE TRIGGER checkpoints_are_snapshots BEFORE INSERT OR UPDATE ON checkpoints
  FOR EACH ROW EXECUTE FUNCTION checkpoints_are_snapshots();
--> statement-breakpoint
-- A terminal state of a job never changes, nor does anything else that its record tells then. What it is about never
-- changes at all; attempts count up, and within one the progress never goes back.
CREATE OR REPLACE FUNCTION jobs_legal_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('Completed', 'Failed', 'Cancelled') AND NEW IS DISTINCT FROM OLD
    OR OLD.status = 'Running' AND NEW.status = 'Pending'
    OR OLD.status = 'Pending' AND NEW.status IN ('Completed', 'Failed') THEN
    RAISE EXCEPTION 'job % cannot go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_legal_transition';
  END IF;
  IF (NEW.id, NEW.project_id, NEW.type, NEW.payload, NEW.retry_of, NEW.created_at, NEW.created_by)
      IS DISTINCT FROM (OLD.id, OLD.project_id, OLD.type, OLD.payload, OLD.retry_of, OLD.created_at, OLD.created_by)
    OR NEW.attempt < OLD.attempt OR NEW.attempt = OLD.attempt AND NEW.progress < OLD.progress
    OR OLD.cancel_requested AND NOT NEW.cancel_requested THEN
    RAISE EXCEPTION 'job % cannot go back', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_never_go_back';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER jobs_legal_transition ON jobs;
--> statement-breakpoint
CREATE TRIGGER jobs_legal_transition BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_legal_transition();
--> statement-breakpoint
CREATE FUNCTION jobs_retry_what_failed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM jobs WHERE id = NEW.retry_of AND project_id = NEW.project_id AND type = NEW.type
      AND status IN ('Failed', 'Cancelled')) THEN
    RAISE EXCEPTION 'job % cannot be a retry of %', NEW.id, NEW.retry_of
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_retry_what_failed';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_retry_what_failed BEFORE INSERT ON jobs
  FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL) EXECUTE FUNCTION jobs_retry_what_failed();
--> statement-breakpoint
-- No scenario is Completed without its predictions, whole and in every series as many. Deferred: they are stored in the
-- transaction that completes the job, in whatever order.
CREATE FUNCTION scenarios_complete_with_predictions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM scenarios s
    LEFT JOIN LATERAL (
      SELECT c.series, sum(c.row_count) AS rows, min(c.row_start) AS start, max(c.row_start + c.row_count) AS until
      FROM prediction_chunks c WHERE c.scenario_id = s.id GROUP BY c.series
    ) stored ON true
    WHERE s.id = NEW.scenario_id AND s.deleted_at IS NULL
    GROUP BY s.id, s.row_count
    HAVING s.row_count IS NULL OR count(*) FILTER (WHERE stored.series = 'prediction') <> 1
      OR bool_or((stored.rows, stored.start, stored.until) IS DISTINCT FROM (s.row_count::bigint, 0, s.row_count))
  ) THEN
    RAISE EXCEPTION 'scenario % has not got all of its predictions', NEW.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_complete_with_predictions';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_complete_with_predictions AFTER UPDATE ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario' AND NEW.status = 'Completed' AND OLD.status <> 'Completed')
  EXECUTE FUNCTION scenarios_complete_with_predictions();
--> statement-breakpoint
-- Dependencies form no cycle and join projects that exist. One transaction at a time changes them: 1684369523 is the
-- lock of lib/projects/lock-dependencies.ts, which our own code holds by then.
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
      SELECT d.upstream_project_id FROM project_dependencies d JOIN above ON d.project_id = above.id
    )
    SELECT FROM above WHERE id = NEW.project_id
  ) THEN
    RAISE EXCEPTION 'project % would depend on itself', NEW.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_dependencies_form_no_cycle';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER project_dependencies_form_no_cycle BEFORE INSERT OR UPDATE ON project_dependencies
  FOR EACH ROW EXECUTE FUNCTION project_dependencies_form_no_cycle();
--> statement-breakpoint
-- A project that is being deleted depends on none, and none depends on it; it never comes back.
CREATE FUNCTION projects_leave_alone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL
    OR EXISTS (SELECT FROM project_dependencies WHERE NEW.id IN (project_id, upstream_project_id)) THEN
    RAISE EXCEPTION 'project % is being deleted', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'projects_leave_alone';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER projects_leave_alone AFTER UPDATE ON projects
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION projects_leave_alone();
--> statement-breakpoint
-- A revoked key stays revoked, and a key never becomes another one.
CREATE FUNCTION api_keys_stay_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at
    OR (NEW.id, NEW.project_id, NEW.hash, NEW.prefix, NEW.created_at, NEW.created_by)
      IS DISTINCT FROM (OLD.id, OLD.project_id, OLD.hash, OLD.prefix, OLD.created_at, OLD.created_by) THEN
    RAISE EXCEPTION 'key % cannot become that', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'api_keys_stay_revoked';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_stay_revoked();
--> statement-breakpoint
-- Where there are members, one is left who can sign in and manage the others. 1970496882 is the lock of
-- lib/users/lock-members.ts, which our own code holds by then.
CREATE FUNCTION user_keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1970496882);
  IF EXISTS (SELECT FROM "user") AND NOT EXISTS (SELECT FROM "user" WHERE role = 'admin' AND disabled_at IS NULL) THEN
    RAISE EXCEPTION 'no admin would be left'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'user_keep_an_admin';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER user_keep_an_admin_of_changed AFTER UPDATE ON "user"
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.disabled_at IS NULL
    AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL))
  EXECUTE FUNCTION user_keep_an_admin();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER user_keep_an_admin_of_deleted AFTER DELETE ON "user"
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.disabled_at IS NULL)
  EXECUTE FUNCTION user_keep_an_admin();