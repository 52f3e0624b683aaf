CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"source" text NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"last_attempt_at" timestamp with time zone,
	"response_status" smallint,
	"response_body" text,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("webhook_id","source"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('Pending', 'Delivered', 'Failed')),
	CONSTRAINT "webhook_deliveries_pending" CHECK (("webhook_deliveries"."status" = 'Pending') = ("webhook_deliveries"."due_at" is not null)),
	CONSTRAINT "webhook_deliveries_attempts" CHECK ("webhook_deliveries"."attempts" >= 0 and ("webhook_deliveries"."attempts" = 0 or "webhook_deliveries"."last_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_response" CHECK (char_length("webhook_deliveries"."response_body") <= 1024)
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_expires_at" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"leased_until" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "webhooks_tenant" UNIQUE("project_id","id"),
	CONSTRAINT "webhooks_slot_range" CHECK ("webhooks"."slot" between 1 and 20),
	CONSTRAINT "webhooks_url" CHECK ("webhooks"."url" ~* '^https?:' and char_length("webhooks"."url") <= 2000),
	CONSTRAINT "webhooks_events" CHECK (cardinality("webhooks"."events") > 0 and "webhooks"."events" <@ array['checkpoint-created', 'checkpoint-failed', 'checkpoint-deleted', 'job-updated', 'scenario-completed', 'scenario-failed', 'model-trained', 'default-changed', 'checkpoint-updated', 'scenario-updated', 'scenario-deleted', 'project-updated', 'dataset-changed']),
	CONSTRAINT "webhooks_previous_secret" CHECK (num_nulls("webhooks"."previous_secret", "webhooks"."previous_secret_expires_at") <> 1),
	CONSTRAINT "webhooks_disabled" CHECK (num_nulls("webhooks"."disabled_at", "webhooks"."disabled_reason") <> 1 and "webhooks"."disabled_reason" in ('requested', 'gone', 'failing'))
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook" FOREIGN KEY ("project_id","webhook_id") REFERENCES "public"."webhooks"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created_at_index" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_listed" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_slot" ON "webhooks" USING btree ("project_id","slot");--> statement-breakpoint
-- Makes a delivery for each enabled webhook that names the event, at the commit of the event. The name of this trigger sorts
-- after that of `outbox_events_number_at_commit`, so it runs under the same lock, and deliveries are due in the order of
-- commits. `job-updated` makes one delivery for each status of a job. A webhook that another transaction is deleting is
-- skipped: to wait for it could be a deadlock, and to refer to it would fail the change that the event reports.
CREATE FUNCTION outbox_events_to_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (project_id, webhook_id, source, event_id, type, data, requested_at, due_at, created_at)
    SELECT project_id, id,
      CASE NEW.name WHEN 'job-updated' THEN concat_ws(' ', NEW.payload->>'entityId', NEW.payload->>'status')
        ELSE NEW.payload->>'eventId' END,
      (NEW.payload->>'eventId')::uuid, NEW.name, NEW.payload, clock_timestamp(), clock_timestamp(), clock_timestamp()
    FROM webhooks WHERE project_id = NEW.project_id AND NEW.name = ANY (events) AND disabled_at IS NULL
    FOR KEY SHARE SKIP LOCKED
  ON CONFLICT (webhook_id, source) DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER outbox_events_to_webhooks AFTER INSERT ON outbox_events
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.published_at IS NULL)
  EXECUTE FUNCTION outbox_events_to_webhooks();
