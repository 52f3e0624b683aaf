ALTER TABLE "scenarios" ADD COLUMN "archived" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Archiving and restoring are changes like those of the title.
CREATE OR REPLACE FUNCTION scenarios_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'notes', 'tags', 'color', 'archived', 'checkpoint_id', 'job_id', 'base_scenario_id', 'deleted_at', 'updated_at'];
BEGIN
  IF OLD.row_count IS NULL AND NEW.row_count IS NOT NULL THEN
    may_change := may_change || ARRAY['input_key', 'input_bytes', 'row_count', 'first_timestamp', 'last_timestamp', 'summary', 'intervals', 'totals', 'warnings'];
  END IF;
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change
    OR NEW.base_scenario_id IS NOT NULL AND NEW.base_scenario_id IS DISTINCT FROM OLD.base_scenario_id
    OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN
    RAISE EXCEPTION 'the change of scenario % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_fixed_columns';
  END IF;
  RETURN NULL;
END $$;
