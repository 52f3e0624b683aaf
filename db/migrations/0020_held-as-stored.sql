-- Addresses are typed, and looked for, in small letters: by one with capitals nobody could ever sign in. It becomes the
-- member's in small letters, unless another member has that: then the member's id goes before it, for an admin to see
-- among the members and to remove.
UPDATE "user" u SET email = CASE WHEN EXISTS (
    SELECT FROM "user" other WHERE other.id <> u.id AND lower(other.email) = lower(u.email)
      AND (other.email = lower(other.email) OR other.id < u.id)
  ) THEN lower(u.id) || '+' ELSE '' END || lower(u.email)
  WHERE email <> lower(email);--> statement-breakpoint
ALTER TABLE "prediction_chunks" DROP CONSTRAINT "prediction_chunks_rows";--> statement-breakpoint
CREATE UNIQUE INDEX "models_of_job" ON "models" USING btree ("job_id");--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_length" CHECK (char_length("idempotency_keys"."key") between 1 and 255);--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_bytes" CHECK ("uploads"."bytes" between 0 and 2147483648);--> statement-breakpoint
ALTER TABLE "prediction_chunks" ADD CONSTRAINT "prediction_chunks_rows" CHECK ("prediction_chunks"."chunk" >= 0 and "prediction_chunks"."row_start" = "prediction_chunks"."chunk" * 65536 and "prediction_chunks"."row_count" between 1 and 65536);--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_source" CHECK ("scenarios"."source" in ('Upload', 'Generated', 'Clone'));--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_email_lower" CHECK ("user"."email" = lower("user"."email"));--> statement-breakpoint
CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER models_never_change AFTER UPDATE ON models FOR EACH ROW EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
CREATE TRIGGER checkpoint_dependencies_never_change AFTER UPDATE ON checkpoint_dependencies
  FOR EACH ROW EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
CREATE TRIGGER jobs_begin_pending AFTER INSERT ON jobs
  FOR EACH ROW WHEN (NEW.status <> 'Pending') EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
-- A checkpoint appears "once its artifacts are complete".
CREATE TRIGGER checkpoints_begin_reserved AFTER INSERT ON checkpoints
  FOR EACH ROW WHEN (NEW.state <> 'reserved') EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
-- "Every scenario is linked to a checkpoint", and its result comes later, with its job.
CREATE TRIGGER scenarios_begin_whole AFTER INSERT ON scenarios
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NULL OR NEW.row_count IS NOT NULL OR NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
-- "Title, description, colour can change". Its job and checkpoint have rules of their own, what it was made from may go,
-- its result comes once, and one that was deleted never comes back.
CREATE FUNCTION scenarios_stay_as_created() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'color', 'checkpoint_id', 'job_id', 'base_scenario_id', 'deleted_at', 'updated_at'];
BEGIN
  IF OLD.row_count IS NULL AND NEW.row_count IS NOT NULL THEN
    may_change := may_change || ARRAY['input_key', 'row_count', 'first_timestamp', 'last_timestamp', 'summary', 'warnings'];
  END IF;
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change
    OR NEW.base_scenario_id IS NOT NULL AND NEW.base_scenario_id IS DISTINCT FROM OLD.base_scenario_id
    OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN
    RAISE EXCEPTION 'scenario % cannot become that', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_stay_as_created';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER scenarios_stay_as_created AFTER UPDATE ON scenarios
  FOR EACH ROW EXECUTE FUNCTION scenarios_stay_as_created();
--> statement-breakpoint
-- A result is stored by the job that it completes: in the state of the argument is the scenario's job, and stays so until
-- the transaction ends.
CREATE FUNCTION results_come_with_their_job() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_result_is_of_its_job AFTER UPDATE ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.row_count IS NULL AND NEW.row_count IS NOT NULL)
  EXECUTE FUNCTION results_come_with_their_job('Completed');
--> statement-breakpoint
CREATE TRIGGER prediction_chunks_come_while_it_runs AFTER INSERT ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION results_come_with_their_job('Running');
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER prediction_chunks_are_of_its_job AFTER INSERT ON prediction_chunks
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION results_come_with_their_job('Completed');
--> statement-breakpoint
CREATE FUNCTION prediction_chunks_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM scenarios WHERE id = OLD.scenario_id) THEN
    RAISE EXCEPTION 'the predictions of scenario % stay', OLD.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'prediction_chunks_stay';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER prediction_chunks_stay AFTER UPDATE OR DELETE ON prediction_chunks
  FOR EACH ROW EXECUTE FUNCTION prediction_chunks_stay();
--> statement-breakpoint
-- A Completed scenario is there, with its checkpoints, and has its predictions, whole and in every series as many.
CREATE OR REPLACE FUNCTION scenarios_complete_with_predictions() RETURNS trigger LANGUAGE plpgsql AS $$
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
    RAISE EXCEPTION 'scenario % has not got all of its predictions', NEW.scenario_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_complete_with_predictions';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A scenario begins with a job of its own, and goes on to that which repeats it. It then has its checkpoint and, pinned,
-- one of every project that its own depends on, and of no other.
CREATE FUNCTION scenarios_have_their_job() RETURNS trigger LANGUAGE plpgsql AS $$
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
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_have_their_job';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_have_their_job AFTER INSERT OR UPDATE OF job_id ON scenarios
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION scenarios_have_their_job();
--> statement-breakpoint
CREATE FUNCTION jobs_are_their_scenarios_latest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM scenarios WHERE id = NEW.scenario_id AND job_id <> NEW.id) THEN
    RAISE EXCEPTION 'scenario % does not know of job %', NEW.scenario_id, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_are_their_scenarios_latest';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER jobs_are_their_scenarios_latest AFTER INSERT ON jobs
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.type = 'CreateScenario')
  EXECUTE FUNCTION jobs_are_their_scenarios_latest();
--> statement-breakpoint
-- What a scenario pins is said before its job is there, and goes with it.
CREATE FUNCTION scenario_checkpoints_come_and_go_with_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND EXISTS (SELECT FROM scenarios s JOIN jobs j ON j.id = s.job_id WHERE s.id = NEW.scenario_id)
    OR TG_OP = 'DELETE' AND EXISTS (
      SELECT FROM scenarios s JOIN projects p ON p.id = s.project_id
      WHERE s.id = OLD.scenario_id AND s.deleted_at IS NULL AND p.deleted_at IS NULL
    ) THEN
    RAISE EXCEPTION 'what scenario % pins is settled', coalesce(NEW.scenario_id, OLD.scenario_id)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_checkpoints_come_and_go_with_it';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_come_and_go_with_it AFTER INSERT OR DELETE ON scenario_checkpoints
  FOR EACH ROW EXECUTE FUNCTION scenario_checkpoints_come_and_go_with_it();
--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_never_move AFTER UPDATE ON scenario_checkpoints
  FOR EACH ROW WHEN ((OLD.scenario_id, OLD.upstream_project_id) IS DISTINCT FROM (NEW.scenario_id, NEW.upstream_project_id))
  EXECUTE FUNCTION refuse_row();
--> statement-breakpoint
-- As before, and it lets go of one that was never saved only once its job has ended without it.
CREATE OR REPLACE FUNCTION checkpoint_stays_linked() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
-- As before, and a new one says of its model what that says of itself.
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
-- The other one may be deleted since, so that no foreign key says whose it is.
CREATE FUNCTION checkpoint_dependencies_are_of_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM checkpoints WHERE id = NEW.checkpoint_id AND project_id = NEW.upstream_project_id
      OR id = NEW.upstream_checkpoint_id AND project_id <> NEW.upstream_project_id) THEN
    RAISE EXCEPTION 'checkpoint % is none of project %', NEW.upstream_checkpoint_id, NEW.upstream_project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoint_dependencies_are_of_others';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER checkpoint_dependencies_are_of_others AFTER INSERT ON checkpoint_dependencies
  FOR EACH ROW EXECUTE FUNCTION checkpoint_dependencies_are_of_others();
--> statement-breakpoint
-- As before, and what it works on is named once.
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
    OR (NEW.scenario_id, NEW.checkpoint_id, NEW.model_id) IS DISTINCT FROM (
      coalesce(OLD.scenario_id, NEW.scenario_id), coalesce(OLD.checkpoint_id, NEW.checkpoint_id), coalesce(OLD.model_id, NEW.model_id))
    OR NEW.attempt < OLD.attempt OR NEW.attempt = OLD.attempt AND NEW.progress < OLD.progress
    OR OLD.cancel_requested AND NOT NEW.cancel_requested THEN
    RAISE EXCEPTION 'job % cannot go back', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_never_go_back';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- As before, and the end of its time comes nearer or stays.
CREATE OR REPLACE FUNCTION api_keys_stay_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at
    OR OLD.expires_at < coalesce(NEW.expires_at, 'infinity')
    OR (NEW.id, NEW.project_id, NEW.hash, NEW.prefix, NEW.created_at, NEW.created_by, NEW.created_to_expire_at)
      IS DISTINCT FROM
      (OLD.id, OLD.project_id, OLD.hash, OLD.prefix, OLD.created_at, OLD.created_by, OLD.created_to_expire_at) THEN
    RAISE EXCEPTION 'key % cannot become that', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'api_keys_stay_revoked';
  END IF;
  RETURN NEW;
END $$;
