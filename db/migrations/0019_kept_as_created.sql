ALTER TABLE "api_keys" ADD COLUMN "created_to_expire_at" timestamp with time zone;--> statement-breakpoint
UPDATE "api_keys" SET "created_to_expire_at" = "expires_at";--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_expire_in_time" CHECK (coalesce("api_keys"."expires_at" <= "api_keys"."created_to_expire_at", "api_keys"."created_to_expire_at" is null));--> statement-breakpoint
CREATE OR REPLACE FUNCTION api_keys_stay_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at
    OR (NEW.id, NEW.project_id, NEW.hash, NEW.prefix, NEW.created_at, NEW.created_by, NEW.created_to_expire_at)
      IS DISTINCT FROM
      (OLD.id, OLD.project_id, OLD.hash, OLD.prefix, OLD.created_at, OLD.created_by, OLD.created_to_expire_at) THEN
    RAISE EXCEPTION 'key % cannot become that', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'api_keys_stay_revoked';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- "So the scenario always uses the same model versions": it lets go of a checkpoint with its own deletion, or of one that
-- was never saved.
CREATE FUNCTION checkpoint_stays_linked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM checkpoints WHERE id = OLD.checkpoint_id FOR SHARE;
  IF EXISTS (SELECT FROM checkpoints WHERE id = OLD.checkpoint_id AND state <> 'reserved') THEN
    RAISE EXCEPTION 'checkpoint % is used by a scenario', OLD.checkpoint_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scenarios_keep_their_checkpoint AFTER UPDATE OF checkpoint_id ON scenarios FOR EACH ROW
  WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION checkpoint_stays_linked();--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_keep_their_checkpoint AFTER UPDATE OF checkpoint_id ON scenario_checkpoints FOR EACH ROW
  WHEN (OLD.checkpoint_id IS DISTINCT FROM NEW.checkpoint_id AND OLD.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_stays_linked();
