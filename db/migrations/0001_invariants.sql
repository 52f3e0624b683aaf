-- A project with ready checkpoints has exactly one default. The partial unique index forbids two; this forbids none.
-- Deferred, so that a transaction may move the default in two steps.
CREATE FUNCTION checkpoints_require_default() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project uuid := coalesce(NEW.project_id, OLD.project_id);
BEGIN
  IF EXISTS (SELECT FROM checkpoints WHERE project_id = project AND state = 'ready')
    AND NOT EXISTS (SELECT FROM checkpoints WHERE project_id = project AND is_default) THEN
    RAISE EXCEPTION 'project % has checkpoints but no default', project
      USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoints_require_default';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER checkpoints_require_default
  AFTER INSERT OR UPDATE OR DELETE ON checkpoints
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION checkpoints_require_default();
--> statement-breakpoint
-- A terminal state of a job never changes, and a job moves only along Pending → Running → an end, or Pending → Cancelled.
-- Running → Running is another attempt.
CREATE FUNCTION jobs_legal_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('Completed', 'Failed', 'Cancelled') AND NEW.status IS DISTINCT FROM OLD.status
    OR OLD.status = 'Running' AND NEW.status = 'Pending'
    OR OLD.status = 'Pending' AND NEW.status IN ('Completed', 'Failed') THEN
    RAISE EXCEPTION 'job % cannot go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_legal_transition';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_legal_transition BEFORE UPDATE OF status ON jobs
  FOR EACH ROW EXECUTE FUNCTION jobs_legal_transition();
