-- Scenarios keep their identity and recipe. Inputs, predictions and checkpoints belong to runs.
DROP FUNCTION "scenarios_fixed_columns", "scenarios_require_job_and_checkpoints", "jobs_latest_of_scenario", "keep_checkpoint",
  "scenario_checkpoints_fixed_rows", "require_scenario_job_status", "prediction_chunks_never_change",
  "scenarios_complete_with_predictions", "discard_scenario_artifacts" CASCADE;--> statement-breakpoint
DROP TRIGGER "scenarios_begin_without_result" ON "scenarios";--> statement-breakpoint
DROP TRIGGER "scenarios_checkpoint_is_not_deleting" ON "scenarios";--> statement-breakpoint
DROP TRIGGER "scenario_checkpoints_fixed_key" ON "scenario_checkpoints";--> statement-breakpoint
CREATE TABLE "scenario_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"scenario_id" uuid NOT NULL,
	"checkpoint_id" uuid,
	"released" jsonb,
	"job_id" uuid NOT NULL,
	"end_date" timestamp with time zone,
	"steps" integer,
	"input_key" text,
	"input_bytes" bigint DEFAULT 0 NOT NULL,
	"row_count" integer,
	"first_timestamp" timestamp with time zone,
	"last_timestamp" timestamp with time zone,
	"known_until" timestamp with time zone,
	"summary" jsonb,
	"intervals" jsonb,
	"totals" bytea STORAGE EXTERNAL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "scenario_runs_of_scenario" UNIQUE("scenario_id","id"),
	CONSTRAINT "scenario_runs_input_bytes" CHECK ("scenario_runs"."input_bytes" >= 0),
	CONSTRAINT "scenario_runs_steps" CHECK ("scenario_runs"."steps" > 0),
	CONSTRAINT "scenario_runs_result_complete" CHECK (num_nulls("scenario_runs"."row_count", "scenario_runs"."summary", "scenario_runs"."input_key", "scenario_runs"."completed_at") in (0, 4)),
	CONSTRAINT "scenario_runs_released" CHECK ("scenario_runs"."released" is null or ("scenario_runs"."checkpoint_id" is null and "scenario_runs"."completed_at" is not null))
);
--> statement-breakpoint
-- One run for each existing scenario, with the scenario's ID. Folders of artifacts, predictions and waiting jobs stay valid.
INSERT INTO "scenario_runs" ("id", "project_id", "scenario_id", "checkpoint_id", "job_id", "end_date", "input_key", "input_bytes",
  "row_count", "first_timestamp", "last_timestamp", "summary", "intervals", "totals", "warnings", "created_at", "created_by", "completed_at")
SELECT s."id", s."project_id", s."id", s."checkpoint_id", s."job_id", s."end_date", s."input_key", s."input_bytes",
  s."row_count", s."first_timestamp", s."last_timestamp", s."summary", s."intervals", s."totals", s."warnings", s."created_at", s."created_by",
  CASE WHEN s."row_count" IS NOT NULL THEN date_trunc('milliseconds', coalesce(j."finished_at", s."created_at")) END
FROM "scenarios" s JOIN "jobs" j ON j."id" = s."job_id";--> statement-breakpoint
-- First, because the deferred key of `job_id` would check rows that the same transaction updates, and block further changes.
ALTER TABLE "scenarios" DROP COLUMN "checkpoint_id", DROP COLUMN "job_id", DROP COLUMN "end_date", DROP COLUMN "input_key", DROP COLUMN "input_bytes",
  DROP COLUMN "row_count", DROP COLUMN "first_timestamp", DROP COLUMN "last_timestamp", DROP COLUMN "summary", DROP COLUMN "intervals",
  DROP COLUMN "totals", DROP COLUMN "warnings";--> statement-breakpoint
ALTER TABLE "scenarios" ADD COLUMN "shown_run_id" uuid;--> statement-breakpoint
UPDATE "scenarios" SET "shown_run_id" = "id";--> statement-breakpoint
ALTER TABLE "scenarios" ALTER COLUMN "shown_run_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prediction_chunks" DROP CONSTRAINT "prediction_chunks_scenario_id_scenarios_id_fk";--> statement-breakpoint
ALTER TABLE "prediction_chunks" RENAME COLUMN "scenario_id" TO "run_id";--> statement-breakpoint
ALTER TABLE "prediction_chunks" RENAME CONSTRAINT "prediction_chunks_scenario_id_series_chunk_pk" TO "prediction_chunks_run_id_series_chunk_pk";--> statement-breakpoint
ALTER TABLE "prediction_chunks" ADD CONSTRAINT "prediction_chunks_run_id_scenario_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."scenario_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" DROP CONSTRAINT "scenario_checkpoints_scenario_id_scenarios_id_fk";--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" RENAME COLUMN "scenario_id" TO "run_id";--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" RENAME CONSTRAINT "scenario_checkpoints_scenario_id_upstream_project_id_pk" TO "scenario_checkpoints_run_id_upstream_project_id_pk";--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" ADD CONSTRAINT "scenario_checkpoints_run_id_scenario_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."scenario_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_runs" ADD CONSTRAINT "scenario_runs_scenario" FOREIGN KEY ("project_id","scenario_id") REFERENCES "public"."scenarios"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_runs" ADD CONSTRAINT "scenario_runs_checkpoint" FOREIGN KEY ("project_id","checkpoint_id") REFERENCES "public"."checkpoints"("project_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
-- Deferred: a run and its job, and a scenario and its first run, name each other, and are inserted in one transaction.
ALTER TABLE "scenario_runs" ADD CONSTRAINT "scenario_runs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_shown_run" FOREIGN KEY ("id","shown_run_id") REFERENCES "public"."scenario_runs"("scenario_id","id") DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
CREATE UNIQUE INDEX "scenario_runs_one_open" ON "scenario_runs" USING btree ("scenario_id") WHERE "scenario_runs"."completed_at" is null;--> statement-breakpoint
CREATE INDEX "scenario_runs_project_id_scenario_id_created_at_index" ON "scenario_runs" USING btree ("project_id","scenario_id","created_at");--> statement-breakpoint
CREATE INDEX "scenario_runs_checkpoint_id_index" ON "scenario_runs" USING btree ("checkpoint_id");--> statement-breakpoint
CREATE INDEX "scenario_runs_job_id_index" ON "scenario_runs" USING btree ("job_id");--> statement-breakpoint

-- A scenario may change its title, description, notes, tags and colour, be archived, and show a later run. The reference to its
-- base scenario can only end, and a deleted scenario never returns.
CREATE TRIGGER scenarios_begin_undeleted AFTER INSERT ON scenarios
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION reject_change();--> statement-breakpoint
CREATE FUNCTION scenarios_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'notes', 'tags', 'color', 'archived', 'base_scenario_id', 'shown_run_id', 'deleted_at', 'updated_at'];
BEGIN
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change
    OR NEW.base_scenario_id IS NOT NULL AND NEW.base_scenario_id IS DISTINCT FROM OLD.base_scenario_id
    OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN
    RAISE EXCEPTION 'the change of scenario % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_fixed_columns';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenarios_fixed_columns AFTER UPDATE ON scenarios
  FOR EACH ROW EXECUTE FUNCTION scenarios_fixed_columns();--> statement-breakpoint

-- A new run has a checkpoint. Its result follows with its job, is stored once, and never changes. A completed run can only
-- release its checkpoints.
CREATE TRIGGER scenario_runs_begin_without_result AFTER INSERT ON scenario_runs
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NULL OR NEW.row_count IS NOT NULL)
  EXECUTE FUNCTION reject_change();--> statement-breakpoint
CREATE FUNCTION scenario_runs_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['checkpoint_id', 'job_id'];
BEGIN
  IF OLD.row_count IS NULL AND NEW.row_count IS NOT NULL THEN
    may_change := may_change || ARRAY['input_key', 'input_bytes', 'row_count', 'first_timestamp', 'last_timestamp', 'known_until',
      'summary', 'intervals', 'totals', 'warnings', 'completed_at'];
  END IF;
  IF OLD.released IS NULL THEN
    may_change := may_change || ARRAY['released'];
  END IF;
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change THEN
    RAISE EXCEPTION 'the change of run % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_runs_fixed_columns';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenario_runs_fixed_columns AFTER UPDATE ON scenario_runs
  FOR EACH ROW EXECUTE FUNCTION scenario_runs_fixed_columns();--> statement-breakpoint

-- A run starts with its own job and moves on only to the retry of that job. At that time it has its checkpoint, and one pinned
-- checkpoint of each direct and indirect upstream project, and of no other project.
CREATE FUNCTION scenario_runs_require_job_and_checkpoints() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM jobs j WHERE j.id = NEW.job_id AND j.type = 'CreateScenario' AND j.project_id = NEW.project_id
      AND j.scenario_id = NEW.scenario_id AND j.status = 'Pending' AND j.retry_of IS NOT DISTINCT FROM OLD.job_id
  ) OR NEW.checkpoint_id IS NULL OR EXISTS (
    WITH RECURSIVE needed(id) AS (
      SELECT upstream_project_id FROM project_dependencies WHERE project_id = NEW.project_id
      UNION
      SELECT next.id FROM needed, LATERAL (
        SELECT upstream_project_id AS id FROM project_dependencies WHERE project_id = needed.id OFFSET 0
      ) next
    )
    SELECT FROM needed
    FULL JOIN (SELECT * FROM scenario_checkpoints WHERE run_id = NEW.id) pinned ON pinned.upstream_project_id = needed.id
    WHERE needed.id IS NULL OR pinned.checkpoint_id IS NULL
  ) THEN
    RAISE EXCEPTION 'run % lacks its job or a checkpoint', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_runs_require_job_and_checkpoints';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenario_runs_require_job_and_checkpoints AFTER INSERT OR UPDATE OF job_id ON scenario_runs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION scenario_runs_require_job_and_checkpoints();--> statement-breakpoint

-- A run has the status of its job, so each new job of a scenario becomes the job of a run.
CREATE FUNCTION jobs_latest_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM scenarios WHERE id = NEW.scenario_id) AND NOT EXISTS (SELECT FROM scenario_runs WHERE job_id = NEW.id) THEN
    RAISE EXCEPTION 'no run of scenario % has the job %', NEW.scenario_id, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_latest_of_run';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER jobs_latest_of_run AFTER INSERT ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario')
  EXECUTE FUNCTION jobs_latest_of_run();--> statement-breakpoint

-- A scenario shows the run that completed last, which holds its checkpoints. Earlier completed runs have released theirs.
CREATE FUNCTION scenarios_show_last_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scenario uuid;
BEGIN
  IF TG_TABLE_NAME = 'scenarios' THEN scenario := NEW.id; ELSE scenario := NEW.scenario_id; END IF;
  IF EXISTS (
    SELECT FROM scenarios s JOIN scenario_runs shown ON shown.id = s.shown_run_id
    LEFT JOIN scenario_runs r ON r.scenario_id = s.id AND r.id <> shown.id AND r.completed_at IS NOT NULL
    WHERE s.id = scenario AND s.deleted_at IS NULL AND (shown.released IS NOT NULL OR r.id IS NOT NULL AND (
      shown.completed_at IS NULL OR r.completed_at > shown.completed_at OR r.released IS NULL
      OR EXISTS (SELECT FROM scenario_checkpoints WHERE run_id = r.id)))
  ) THEN
    RAISE EXCEPTION 'scenario % does not show its last run, or an earlier one holds checkpoints', scenario
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_show_last_run';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_show_last_run AFTER UPDATE OF shown_run_id ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION scenarios_show_last_run();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenario_runs_last_is_shown AFTER UPDATE OF completed_at, released ON scenario_runs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION scenarios_show_last_run();--> statement-breakpoint

CREATE TRIGGER scenario_runs_checkpoint_is_not_deleting BEFORE INSERT OR UPDATE OF checkpoint_id ON scenario_runs
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_is_not_deleting('scenario_runs_checkpoint');--> statement-breakpoint

-- A deleted scenario no longer keeps checkpoints from deletion. FOR SHARE waits for a deletion, which then finds this run or has
-- rejected it.
CREATE FUNCTION scenarios_deleted_without_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scenario uuid;
BEGIN
  IF TG_TABLE_NAME = 'scenarios' THEN
    scenario := NEW.id;
  ELSE
    scenario := NEW.scenario_id;
    PERFORM FROM scenarios WHERE id = scenario FOR SHARE;
  END IF;
  IF EXISTS (
    SELECT FROM scenarios s JOIN scenario_runs r ON r.scenario_id = s.id
    WHERE s.id = scenario AND s.deleted_at IS NOT NULL
      AND (r.checkpoint_id IS NOT NULL OR EXISTS (SELECT FROM scenario_checkpoints WHERE run_id = r.id))
  ) THEN
    RAISE EXCEPTION 'scenario % is deleted, so its runs use no checkpoint', scenario
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_deleted_without_checkpoint';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_deleted_without_checkpoint AFTER UPDATE OF deleted_at ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION scenarios_deleted_without_checkpoint();--> statement-breakpoint
CREATE TRIGGER scenario_runs_deleted_without_checkpoint AFTER INSERT OR UPDATE OF checkpoint_id ON scenario_runs
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION scenarios_deleted_without_checkpoint();--> statement-breakpoint

-- A run always uses the same model versions. It leaves a checkpoint only when a later run is shown, with the deletion of its
-- scenario, or when its job failed or was cancelled before that checkpoint was saved.
CREATE FUNCTION keep_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run uuid;
BEGIN
  IF TG_TABLE_NAME = 'scenario_runs' THEN run := NEW.id; ELSE run := NEW.run_id; END IF;
  IF NEW.checkpoint_id IS NULL AND EXISTS (
    SELECT FROM scenario_runs r JOIN scenarios s ON s.id = r.scenario_id
    WHERE r.id = run AND (r.released IS NOT NULL OR s.deleted_at IS NOT NULL)
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM checkpoints WHERE id = OLD.checkpoint_id FOR SHARE;
  IF NEW.checkpoint_id IS NOT NULL
    OR EXISTS (SELECT FROM checkpoints WHERE id = OLD.checkpoint_id AND state <> 'reserved')
    OR EXISTS (SELECT FROM scenario_runs r JOIN jobs j ON j.id = r.job_id WHERE r.id = run AND j.status NOT IN ('Failed', 'Cancelled')) THEN
    RAISE EXCEPTION 'checkpoint % is used by a scenario', OLD.checkpoint_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenario_runs_keep_checkpoint AFTER UPDATE OF checkpoint_id ON scenario_runs
  FOR EACH ROW WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION keep_checkpoint();--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_keep_checkpoint AFTER UPDATE OF checkpoint_id ON scenario_checkpoints
  FOR EACH ROW WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION keep_checkpoint();--> statement-breakpoint

-- The pinned checkpoints of a run are fixed before its job exists. They are deleted with the run or its scenario, and when the run
-- releases its checkpoints.
CREATE FUNCTION scenario_checkpoints_fixed_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND EXISTS (SELECT FROM scenario_runs r JOIN jobs j ON j.id = r.job_id WHERE r.id = NEW.run_id)
    OR TG_OP = 'DELETE' AND EXISTS (
      SELECT FROM scenario_runs r JOIN scenarios s ON s.id = r.scenario_id JOIN projects p ON p.id = s.project_id
      WHERE r.id = OLD.run_id AND r.released IS NULL AND s.deleted_at IS NULL AND p.deleted_at IS NULL
    ) THEN
    RAISE EXCEPTION 'the pinned checkpoints of run % are fixed', coalesce(NEW.run_id, OLD.run_id)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_checkpoints_fixed_rows';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_fixed_rows AFTER INSERT OR DELETE ON scenario_checkpoints
  FOR EACH ROW EXECUTE FUNCTION scenario_checkpoints_fixed_rows();--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_fixed_key AFTER UPDATE ON scenario_checkpoints
  FOR EACH ROW WHEN ((OLD.run_id, OLD.upstream_project_id) IS DISTINCT FROM (NEW.run_id, NEW.upstream_project_id))
  EXECUTE FUNCTION reject_change();--> statement-breakpoint

-- A job stores its run's result in the transaction that completes it. The argument is the status that the job must have. FOR
-- SHARE keeps the job in that status until the transaction ends.
CREATE FUNCTION require_run_job_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run uuid;
  present text;
BEGIN
  IF TG_TABLE_NAME = 'scenario_runs' THEN run := NEW.id; ELSE run := NEW.run_id; END IF;
  SELECT j.status INTO present FROM scenario_runs r JOIN jobs j ON j.id = r.job_id WHERE r.id = run FOR SHARE OF j;
  IF present <> TG_ARGV[0] THEN
    RAISE EXCEPTION 'the job of run % is %', run, present
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenario_runs_result_requires_completed_job AFTER UPDATE ON scenario_runs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.row_count IS NULL AND NEW.row_count IS NOT NULL)
  EXECUTE FUNCTION require_run_job_status('Completed');--> statement-breakpoint
CREATE TRIGGER prediction_chunks_require_running_job AFTER INSERT ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION require_run_job_status('Running');--> statement-breakpoint
CREATE CONSTRAINT TRIGGER prediction_chunks_require_completed_job AFTER INSERT ON prediction_chunks
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_run_job_status('Completed');--> statement-breakpoint

-- Predictions never change, and are deleted only with their run.
CREATE FUNCTION prediction_chunks_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM scenario_runs WHERE id = OLD.run_id) THEN
    RAISE EXCEPTION 'the predictions of run % cannot change', OLD.run_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'prediction_chunks_never_change';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER prediction_chunks_never_change AFTER UPDATE OR DELETE ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION prediction_chunks_never_change();--> statement-breakpoint

-- A completed run's scenario exists and shows it. The run has all of its checkpoints and a prediction for each row: all series
-- have the same length and no gap, and both bounds of the interval exist or neither. Deferred, because the transaction that
-- completes the job stores the predictions in any order.
CREATE FUNCTION scenario_runs_complete_with_predictions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM scenario_runs r
    JOIN scenarios s ON s.id = r.scenario_id AND s.shown_run_id = r.id AND s.deleted_at IS NULL
    JOIN checkpoints main ON main.id = r.checkpoint_id AND main.state = 'ready'
    JOIN LATERAL (
      SELECT c.series, sum(c.row_count) AS rows, max(c.row_start + c.row_count) AS until
      FROM prediction_chunks c WHERE c.run_id = r.id GROUP BY c.series
    ) stored ON true
    WHERE r.job_id = NEW.id AND NOT EXISTS (
      SELECT FROM scenario_checkpoints p LEFT JOIN checkpoints c ON c.id = p.checkpoint_id
      WHERE p.run_id = r.id AND c.state IS DISTINCT FROM 'ready')
    GROUP BY r.id
    HAVING bool_and((stored.rows, stored.until) IS NOT DISTINCT FROM (r.row_count::bigint, r.row_count))
      AND count(*) FILTER (WHERE stored.series = 'prediction') = 1
      AND count(*) FILTER (WHERE stored.series IN ('lower', 'upper')) <> 1
  ) THEN
    RAISE EXCEPTION 'a run of scenario % lacks predictions', NEW.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_runs_complete_with_predictions';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenario_runs_complete_with_predictions AFTER UPDATE ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario' AND NEW.status = 'Completed' AND OLD.status <> 'Completed')
  EXECUTE FUNCTION scenario_runs_complete_with_predictions();--> statement-breakpoint

-- The folders of a run are those of its scenario before runs existed.
CREATE FUNCTION discard_run_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE folder text := 'projects/' || OLD.project_id || '/scenarios/' || OLD.id;
BEGIN
  INSERT INTO orphaned_artifacts (key, due_at)
    SELECT key, now() FROM unnest(ARRAY[folder || '/sent', folder || '/others', OLD.input_key]) key WHERE key IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenario_runs_discard_artifacts AFTER DELETE ON scenario_runs
  FOR EACH ROW EXECUTE FUNCTION discard_run_artifacts();--> statement-breakpoint

-- As before, but a run uses the checkpoint.
CREATE OR REPLACE FUNCTION checkpoints_are_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
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
      IF EXISTS (SELECT FROM scenario_runs WHERE checkpoint_id = OLD.id)
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
