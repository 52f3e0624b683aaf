ALTER TABLE "scenario_overrides" ADD COLUMN "known_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scenario_overrides" ADD COLUMN "ended_known_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scenario_overrides" ADD CONSTRAINT "scenario_overrides_end_known" CHECK ("scenario_overrides"."ended_known_until" is null or "scenario_overrides"."ended_at" is not null);--> statement-breakpoint
-- An override never changes, and ends once. Its end also states which actual values were known then.
CREATE OR REPLACE FUNCTION scenario_overrides_only_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  may_change text[] := ARRAY['ended_at', 'ended_by', 'ended_known_until'];
BEGIN
  IF OLD.ended_at IS NOT NULL OR to_jsonb(NEW) - may_change <> to_jsonb(OLD) - may_change THEN
    RAISE EXCEPTION 'the change of override % is not permitted', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'scenario_overrides_only_end';
  END IF;
  RETURN NULL;
END $$;
