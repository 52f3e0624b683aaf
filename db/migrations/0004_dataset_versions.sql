ALTER TABLE "datasets" DROP CONSTRAINT "datasets_bytes";--> statement-breakpoint
ALTER TABLE "datasets" ALTER COLUMN "artifact_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" ADD COLUMN "change" text;--> statement-breakpoint
ALTER TABLE "datasets" ADD COLUMN "parts" jsonb;--> statement-breakpoint
UPDATE "datasets" SET "change" = 'replaced',
  "parts" = jsonb_build_array(jsonb_build_object('key', "artifact_key", 'rows', "row_count", 'bytes', "artifact_bytes"));--> statement-breakpoint
UPDATE "datasets" SET "change" = CASE "action" WHEN 'dataset.appended' THEN 'appended' ELSE 'settings' END
  FROM "audit_log" WHERE "entity_id" = "datasets"."id"::text AND "action" IN ('dataset.appended', 'dataset.updated');--> statement-breakpoint
ALTER TABLE "datasets" ALTER COLUMN "change" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" ALTER COLUMN "parts" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" DROP COLUMN "artifact_bytes";--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_change" CHECK ("datasets"."change" in ('replaced', 'appended', 'settings', 'restored', 'corrected'));--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_parts" CHECK (jsonb_typeof("datasets"."parts") = 'array' and jsonb_array_length("datasets"."parts") between 1 and 32);--> statement-breakpoint
CREATE TRIGGER datasets_never_change AFTER UPDATE ON datasets
  FOR EACH ROW EXECUTE FUNCTION reject_change();--> statement-breakpoint
-- The parts of a version hold its rows, and no part is about to be deleted. The locks make the deletion of another version
-- that uses a part wait, so that it sees this version.
CREATE FUNCTION datasets_hold_their_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM datasets WHERE project_id = NEW.project_id ORDER BY id FOR KEY SHARE;
  IF NEW.row_count <> (SELECT sum((part->>'rows')::bigint) FROM jsonb_array_elements(NEW.parts) part)
    OR EXISTS (SELECT FROM jsonb_array_elements(NEW.parts) part
      WHERE NOT starts_with(part->>'key', 'projects/' || NEW.project_id || '/datasets/')
        OR (part->>'bytes')::bigint < 0
        OR part->>'key' IN (SELECT key FROM orphaned_artifacts)) THEN
    RAISE EXCEPTION 'the parts of dataset % do not hold its rows', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'datasets_hold_their_parts';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER datasets_hold_their_parts AFTER INSERT ON datasets
  FOR EACH ROW EXECUTE FUNCTION datasets_hold_their_parts();--> statement-breakpoint
-- Ten versions are kept, and those that a job names.
CREATE FUNCTION datasets_keep_ten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT id FROM datasets WHERE project_id = NEW.project_id ORDER BY version DESC OFFSET 10) older
    WHERE NOT EXISTS (SELECT FROM jobs WHERE project_id = NEW.project_id AND payload->>'datasetVersionId' = older.id::text)) THEN
    RAISE EXCEPTION 'project % keeps more than ten versions of its dataset', NEW.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'datasets_keep_ten';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER datasets_keep_ten AFTER INSERT ON datasets DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION datasets_keep_ten();--> statement-breakpoint
-- A version that an unfinished job will read goes only with its project.
CREATE FUNCTION datasets_stay_for_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id) AND EXISTS (
    SELECT FROM jobs WHERE project_id = OLD.project_id AND status IN ('Pending', 'Running')
      AND payload->>'datasetVersionId' = OLD.id::text) THEN
    RAISE EXCEPTION 'a job reads dataset %', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'datasets_stay_for_jobs';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER datasets_stay_for_jobs AFTER DELETE ON datasets
  FOR EACH ROW EXECUTE FUNCTION datasets_stay_for_jobs();--> statement-breakpoint
-- Records the folders that no remaining version uses for deletion.
CREATE FUNCTION discard_dataset_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orphaned_artifacts (key, due_at)
    SELECT DISTINCT part->>'key', now() FROM jsonb_array_elements(OLD.parts) part
    WHERE NOT EXISTS (SELECT FROM datasets, jsonb_array_elements(parts) used
      WHERE project_id = OLD.project_id AND used->>'key' = part->>'key')
    ON CONFLICT (key) DO UPDATE SET due_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER datasets_discard_artifact ON datasets;--> statement-breakpoint
CREATE TRIGGER datasets_discard_parts AFTER DELETE ON datasets
  FOR EACH ROW EXECUTE FUNCTION discard_dataset_parts();
