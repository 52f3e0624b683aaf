CREATE TABLE "loose_artifacts" (
	"key" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "loose_artifacts_attempts" CHECK ("loose_artifacts"."attempts" >= 0)
);
--> statement-breakpoint
CREATE INDEX "loose_artifacts_due" ON "loose_artifacts" USING btree ("due_at");--> statement-breakpoint
-- Whoever deletes a row, by a cascade too, has thereby recorded that the folders it owned are to be removed.
CREATE FUNCTION discard_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loose_artifacts (key, due_at) VALUES (OLD.artifact_key, now())
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION discard_scenario_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE folder text := 'projects/' || OLD.project_id || '/scenarios/' || OLD.id;
BEGIN
  INSERT INTO loose_artifacts (key, due_at)
    SELECT key, now() FROM unnest(ARRAY[folder || '/sent', folder || '/others', OLD.input_key]) key WHERE key IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION discard_project_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO loose_artifacts (key, due_at) VALUES ('projects/' || OLD.id, now())
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER datasets_discard_artifact AFTER DELETE ON datasets FOR EACH ROW EXECUTE FUNCTION discard_artifact();--> statement-breakpoint
CREATE TRIGGER uploads_discard_artifact AFTER DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION discard_artifact();--> statement-breakpoint
CREATE TRIGGER models_discard_artifact AFTER DELETE ON models FOR EACH ROW EXECUTE FUNCTION discard_artifact();--> statement-breakpoint
CREATE TRIGGER checkpoints_discard_artifact AFTER DELETE ON checkpoints FOR EACH ROW EXECUTE FUNCTION discard_artifact();--> statement-breakpoint
CREATE TRIGGER scenarios_discard_artifacts AFTER DELETE ON scenarios FOR EACH ROW EXECUTE FUNCTION discard_scenario_artifacts();--> statement-breakpoint
CREATE TRIGGER projects_discard_artifacts AFTER DELETE ON projects FOR EACH ROW EXECUTE FUNCTION discard_project_artifacts();--> statement-breakpoint
-- As before, but that the folder which a checkpoint's artifacts were written to is known only when it becomes ready.
CREATE OR REPLACE FUNCTION checkpoints_are_snapshots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['label', 'description', 'state', 'slot', 'is_default', 'linked_checkpoint_id', 'model_id', 'updated_at'];
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state, NEW.state) = ('reserved', 'ready') THEN
    may_change := array_append(may_change, 'artifact_key');
  END IF;
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
