CREATE INDEX "outbox_events_published" ON "outbox_events" USING btree ("published_at") WHERE "outbox_events"."published_at" is not null;--> statement-breakpoint
CREATE INDEX "projects_listed" ON "projects" USING btree ("created_at","id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scenario_checkpoints_upstream_project_id_index" ON "scenario_checkpoints" USING btree ("upstream_project_id");--> statement-breakpoint
CREATE INDEX "session_expires_at_index" ON "session" USING btree ("expires_at");--> statement-breakpoint
-- As before, but each edge is followed by the index (OFFSET 0), however many there may be by the planner's guess.
CREATE OR REPLACE FUNCTION project_dependencies_form_no_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1684369523);
  PERFORM FROM projects WHERE id IN (NEW.project_id, NEW.upstream_project_id) ORDER BY id FOR SHARE;
  IF EXISTS (SELECT FROM projects WHERE id IN (NEW.project_id, NEW.upstream_project_id) AND deleted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'project % or % is being deleted', NEW.project_id, NEW.upstream_project_id
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'project_dependencies_exist';
  END IF;
  IF EXISTS (
    WITH RECURSIVE above(id) AS (
      SELECT NEW.upstream_project_id
      UNION
      SELECT next.id FROM above, LATERAL (
        SELECT upstream_project_id AS id FROM project_dependencies WHERE project_id = above.id OFFSET 0
      ) next
    )
    SELECT FROM above WHERE id = NEW.project_id
  ) THEN
    RAISE EXCEPTION 'project % would depend on itself', NEW.project_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'project_dependencies_form_no_cycle';
  END IF;
  RETURN NEW;
END $$;
