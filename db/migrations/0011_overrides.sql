CREATE TABLE "scenario_overrides" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"scenario_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"from_time" timestamp with time zone NOT NULL,
	"to_time" timestamp with time zone NOT NULL,
	"operation" text NOT NULL,
	"value" double precision NOT NULL,
	"reason" text NOT NULL,
	"conditions" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "scenario_overrides_slot_range" CHECK ("scenario_overrides"."slot" between 1 and 100),
	CONSTRAINT "scenario_overrides_span" CHECK ("scenario_overrides"."from_time" <= "scenario_overrides"."to_time"),
	CONSTRAINT "scenario_overrides_operation" CHECK ("scenario_overrides"."operation" in ('set', 'add', 'multiply')),
	CONSTRAINT "scenario_overrides_value" CHECK ("scenario_overrides"."value" > '-infinity' and "scenario_overrides"."value" < 'infinity'),
	CONSTRAINT "scenario_overrides_factor" CHECK ("scenario_overrides"."operation" <> 'multiply' or "scenario_overrides"."value" >= 0),
	CONSTRAINT "scenario_overrides_reason_length" CHECK (char_length("scenario_overrides"."reason") between 1 and 500),
	CONSTRAINT "scenario_overrides_reason_trimmed" CHECK ("scenario_overrides"."reason" = btrim("scenario_overrides"."reason", E' \t\n\v\f\r')),
	CONSTRAINT "scenario_overrides_end" CHECK (num_nulls("scenario_overrides"."ended_at", "scenario_overrides"."ended_by") in (0, 2)),
	CONSTRAINT "scenario_overrides_end_order" CHECK ("scenario_overrides"."ended_at" >= "scenario_overrides"."created_at")
);
--> statement-breakpoint
ALTER TABLE "scenarios" ADD COLUMN "effective_summary" jsonb;--> statement-breakpoint
ALTER TABLE "scenario_overrides" ADD CONSTRAINT "scenario_overrides_scenario" FOREIGN KEY ("project_id","scenario_id") REFERENCES "public"."scenarios"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "scenario_overrides_slot" ON "scenario_overrides" USING btree ("scenario_id","slot") WHERE "scenario_overrides"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "scenario_overrides_scenario_id_index" ON "scenario_overrides" USING btree ("scenario_id");--> statement-breakpoint
-- Overrides change the summary that is shown, while the calculated one never changes.
CREATE OR REPLACE FUNCTION scenarios_fixed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['title', 'description', 'notes', 'tags', 'color', 'archived', 'base_scenario_id', 'shown_run_id', 'effective_summary', 'deleted_at', 'updated_at'];
BEGIN
  IF to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change
    OR NEW.base_scenario_id IS NOT NULL AND NEW.base_scenario_id IS DISTINCT FROM OLD.base_scenario_id
    OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at THEN
    RAISE EXCEPTION 'the change of scenario % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_fixed_columns';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- An override never changes, and ends once.
CREATE FUNCTION scenario_overrides_only_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL
    OR to_jsonb(NEW) - ARRAY['ended_at', 'ended_by'] <> to_jsonb(OLD) - ARRAY['ended_at', 'ended_by'] THEN
    RAISE EXCEPTION 'the change of override % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_overrides_only_end';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER scenario_overrides_only_end AFTER UPDATE ON scenario_overrides
  FOR EACH ROW EXECUTE FUNCTION scenario_overrides_only_end();
--> statement-breakpoint
-- A scenario has a summary of effective predictions if and only if it has active overrides.
CREATE FUNCTION scenarios_summary_of_overrides() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own uuid;
BEGIN
  IF TG_TABLE_NAME = 'scenarios' THEN
    own := NEW.id;
  ELSE
    own := NEW.scenario_id;
  END IF;
  IF EXISTS (
    SELECT FROM scenarios s WHERE s.id = own AND (s.effective_summary IS NOT NULL)
      <> EXISTS (SELECT FROM scenario_overrides o WHERE o.scenario_id = own AND o.ended_at IS NULL)
  ) THEN
    RAISE EXCEPTION 'the summary of scenario % does not match its overrides', own
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenarios_summary_of_overrides';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_summary_of_overrides AFTER INSERT OR UPDATE OF effective_summary ON scenarios
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION scenarios_summary_of_overrides();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER scenarios_summary_of_overrides AFTER INSERT OR UPDATE ON scenario_overrides
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION scenarios_summary_of_overrides();
