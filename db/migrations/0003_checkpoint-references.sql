-- A checkpoint that is being deleted keeps its row until its artifacts are gone, so the foreign keys alone would still
-- accept new references to it. Its deletion locks the row first: whoever refers to it at the same moment waits here, and
-- is refused as for a checkpoint that does not exist.
CREATE FUNCTION checkpoint_is_not_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM checkpoints WHERE id = NEW.checkpoint_id AND state <> 'deleting' FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'checkpoint % does not exist', NEW.checkpoint_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER scenarios_checkpoint_is_not_deleting BEFORE INSERT OR UPDATE OF checkpoint_id ON scenarios
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_is_not_deleting('scenarios_checkpoint');
--> statement-breakpoint
CREATE TRIGGER scenario_checkpoints_checkpoint_is_not_deleting
  BEFORE INSERT OR UPDATE OF checkpoint_id ON scenario_checkpoints
  FOR EACH ROW WHEN (NEW.checkpoint_id IS NOT NULL)
  EXECUTE FUNCTION checkpoint_is_not_deleting('scenario_checkpoints_checkpoint');
