-- An event gets its number when its transaction commits, one transaction after the other: who has seen a number has
-- seen, or can see, every lower one. 1869968494 is a lock of this trigger's own. It is taken after all other locks and
-- held for the commit alone, which NOTIFY makes one after the other anyway.
CREATE FUNCTION outbox_events_number_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1869968494);
  UPDATE outbox_events SET sequence = nextval('outbox_events_sequence_seq') WHERE sequence = NEW.sequence;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER outbox_events_number_at_commit AFTER INSERT ON outbox_events
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.published_at IS NULL)
  EXECUTE FUNCTION outbox_events_number_at_commit();
