ALTER TABLE "orphaned_artifacts" ADD COLUMN "reserved_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" ADD COLUMN "artifact_bytes" bigint;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scenarios" ADD COLUMN "input_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orphaned_artifacts" ADD CONSTRAINT "orphaned_artifacts_reserved" CHECK ("orphaned_artifacts"."reserved_bytes" >= 0);--> statement-breakpoint
-- Existing rows get estimates: 8 bytes for each value.
UPDATE "datasets" SET "artifact_bytes" = 8 * "row_count"::bigint * jsonb_array_length("profile" -> 'columns');--> statement-breakpoint
ALTER TABLE "datasets" ALTER COLUMN "artifact_bytes" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_bytes" CHECK ("datasets"."artifact_bytes" >= 0);--> statement-breakpoint
ALTER TABLE "scenarios" DISABLE TRIGGER "scenarios_fixed_columns";--> statement-breakpoint
UPDATE "scenarios" SET "input_bytes" = 8 * "row_count"::bigint * jsonb_array_length("checkpoints"."input_features")
  FROM "checkpoints" WHERE "checkpoints"."id" = "scenarios"."checkpoint_id" AND "row_count" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "scenarios" ENABLE TRIGGER "scenarios_fixed_columns";--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_input_bytes" CHECK ("scenarios"."input_bytes" >= 0);--> statement-breakpoint
-- The size of the input is part of a scenario's result.
CREATE OR REPLACE FUNCTION scenarios_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'notes', 'tags', 'color', 'checkpoint_id', 'job_id', 'base_scenario_id', 'deleted_at', 'updated_at'];
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
