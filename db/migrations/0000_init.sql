CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_prefix_length" CHECK (char_length("api_keys"."prefix") = 8)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" text NOT NULL,
	"api_key_id" uuid,
	"action" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"label" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "call_rates" (
	"subject" text PRIMARY KEY NOT NULL,
	"arrival" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"headers" jsonb,
	"body" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "idempotency_keys_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "checkpoint_dependencies" (
	"checkpoint_id" uuid NOT NULL,
	"upstream_project_id" uuid NOT NULL,
	"upstream_checkpoint_id" uuid NOT NULL,
	CONSTRAINT "checkpoint_dependencies_checkpoint_id_upstream_project_id_pk" PRIMARY KEY("checkpoint_id","upstream_project_id")
);
--> statement-breakpoint
CREATE TABLE "checkpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"slot" smallint,
	"label" text NOT NULL,
	"folder_name" text NOT NULL,
	"description" text,
	"state" text NOT NULL,
	"set_as_default" boolean DEFAULT false NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"linked_checkpoint_id" uuid,
	"model_id" uuid,
	"model_name" text NOT NULL,
	"algorithm" text NOT NULL,
	"target" text NOT NULL,
	"target_metric" text NOT NULL,
	"primary_metric_value" double precision,
	"training_metrics" jsonb NOT NULL,
	"input_features" jsonb NOT NULL,
	"feature_engineering" jsonb NOT NULL,
	"model_format" text NOT NULL,
	"artifact_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"trained_at" timestamp with time zone NOT NULL,
	"training_rows" integer NOT NULL,
	"artifact_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "checkpoints_tenant" UNIQUE("project_id","id"),
	CONSTRAINT "checkpoints_slot_range" CHECK ("checkpoints"."slot" between 1 and 20),
	CONSTRAINT "checkpoints_slot_counts" CHECK (("checkpoints"."state" = 'deleting') = ("checkpoints"."slot" is null)),
	CONSTRAINT "checkpoints_default_ready" CHECK (not "checkpoints"."is_default" or "checkpoints"."state" = 'ready'),
	CONSTRAINT "checkpoints_label_length" CHECK (char_length("checkpoints"."label") between 2 and 100),
	CONSTRAINT "checkpoints_folder_form" CHECK ("checkpoints"."folder_name" ~ '^[a-z0-9_-]{1,50}$')
);
--> statement-breakpoint
CREATE TABLE "datasets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"file_name" text,
	"target" text NOT NULL,
	"timestamp_columns" jsonb,
	"exclude" jsonb NOT NULL,
	"categories" jsonb NOT NULL,
	"missing" jsonb NOT NULL,
	"timezone" text NOT NULL,
	"row_count" integer NOT NULL,
	"frequency" text,
	"first_timestamp" timestamp with time zone,
	"last_timestamp" timestamp with time zone,
	"profile" jsonb NOT NULL,
	"artifact_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"artifact_key" text NOT NULL,
	"profile" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"payload" jsonb NOT NULL,
	"progress" double precision DEFAULT 0 NOT NULL,
	"stage" text,
	"message" text,
	"rows_total" integer,
	"rows_processed" integer,
	"scenario_id" uuid,
	"checkpoint_id" uuid,
	"model_id" uuid,
	"error_code" text,
	"error_message" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"retry_of" uuid,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"request_id" text,
	"created_by" text NOT NULL,
	"api_key_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('Pending', 'Running', 'Completed', 'Failed', 'Cancelled')),
	CONSTRAINT "jobs_progress" CHECK ("jobs"."progress" between 0 and 100),
	CONSTRAINT "jobs_finished" CHECK (("jobs"."status" in ('Completed', 'Failed', 'Cancelled')) = ("jobs"."finished_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "outbox_events" (
	"sequence" bigserial PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"model_name" text NOT NULL,
	"algorithm" text NOT NULL,
	"target" text NOT NULL,
	"target_metric" text NOT NULL,
	"primary_metric_value" double precision,
	"training_metrics" jsonb NOT NULL,
	"input_features" jsonb NOT NULL,
	"feature_engineering" jsonb NOT NULL,
	"model_format" text NOT NULL,
	"artifact_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"trained_at" timestamp with time zone NOT NULL,
	"training_rows" integer NOT NULL,
	"source" text NOT NULL,
	"details" jsonb NOT NULL,
	"upstream" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"artifact_key" text NOT NULL,
	"job_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_dependencies" (
	"project_id" uuid NOT NULL,
	"upstream_project_id" uuid NOT NULL,
	"feature_name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_dependencies_project_id_upstream_project_id_pk" PRIMARY KEY("project_id","upstream_project_id"),
	CONSTRAINT "project_dependencies_project_id_feature_name_unique" UNIQUE("project_id","feature_name"),
	CONSTRAINT "project_dependencies_not_self" CHECK ("project_dependencies"."project_id" <> "project_dependencies"."upstream_project_id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"current_model_id" uuid,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "projects_name_length" CHECK (char_length("projects"."name") between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "prediction_chunks" (
	"scenario_id" uuid NOT NULL,
	"series" text NOT NULL,
	"chunk" smallint NOT NULL,
	"row_start" integer NOT NULL,
	"row_count" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "prediction_chunks_scenario_id_series_chunk_pk" PRIMARY KEY("scenario_id","series","chunk"),
	CONSTRAINT "prediction_chunks_length" CHECK (octet_length("prediction_chunks"."data") = 8 * "prediction_chunks"."row_count")
);
--> statement-breakpoint
CREATE TABLE "scenario_checkpoints" (
	"scenario_id" uuid NOT NULL,
	"upstream_project_id" uuid NOT NULL,
	"checkpoint_id" uuid NOT NULL,
	CONSTRAINT "scenario_checkpoints_scenario_id_upstream_project_id_pk" PRIMARY KEY("scenario_id","upstream_project_id")
);
--> statement-breakpoint
CREATE TABLE "scenarios" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"color" text NOT NULL,
	"checkpoint_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"source" text NOT NULL,
	"file_name" text,
	"end_date" timestamp with time zone,
	"base_scenario_id" uuid,
	"adjustments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"input_key" text,
	"row_count" integer,
	"first_timestamp" timestamp with time zone,
	"last_timestamp" timestamp with time zone,
	"summary" jsonb,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "scenarios_title_length" CHECK (char_length("scenarios"."title") between 1 and 200),
	CONSTRAINT "scenarios_color_form" CHECK ("scenarios"."color" ~ '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$')
);
--> statement-breakpoint
CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limit" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL,
	CONSTRAINT "rate_limit_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	"impersonated_by" text,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"role" text,
	"banned" boolean,
	"ban_reason" text,
	"ban_expires" timestamp with time zone,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoint_dependencies" ADD CONSTRAINT "checkpoint_dependencies_checkpoint_id_checkpoints_id_fk" FOREIGN KEY ("checkpoint_id") REFERENCES "public"."checkpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_linked_checkpoint_id_checkpoints_id_fk" FOREIGN KEY ("linked_checkpoint_id") REFERENCES "public"."checkpoints"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_dependencies" ADD CONSTRAINT "project_dependencies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_dependencies" ADD CONSTRAINT "project_dependencies_upstream_project_id_projects_id_fk" FOREIGN KEY ("upstream_project_id") REFERENCES "public"."projects"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_current_model_id_models_id_fk" FOREIGN KEY ("current_model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_chunks" ADD CONSTRAINT "prediction_chunks_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" ADD CONSTRAINT "scenario_checkpoints_scenario_id_scenarios_id_fk" FOREIGN KEY ("scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenario_checkpoints" ADD CONSTRAINT "scenario_checkpoints_checkpoint" FOREIGN KEY ("upstream_project_id","checkpoint_id") REFERENCES "public"."checkpoints"("project_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_base_scenario_id_scenarios_id_fk" FOREIGN KEY ("base_scenario_id") REFERENCES "public"."scenarios"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_checkpoint" FOREIGN KEY ("project_id","checkpoint_id") REFERENCES "public"."checkpoints"("project_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_project_id_index" ON "api_keys" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "audit_log_project_id_created_at_index" ON "audit_log" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_label" ON "checkpoints" USING btree ("project_id","label") WHERE "checkpoints"."state" <> 'deleting';--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_folder" ON "checkpoints" USING btree ("project_id","folder_name");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_slot" ON "checkpoints" USING btree ("project_id","slot");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_one_default" ON "checkpoints" USING btree ("project_id") WHERE "checkpoints"."is_default";--> statement-breakpoint
CREATE INDEX "checkpoints_model_id_index" ON "checkpoints" USING btree ("model_id");--> statement-breakpoint
CREATE INDEX "checkpoints_linked_checkpoint_id_index" ON "checkpoints" USING btree ("linked_checkpoint_id");--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_version" ON "datasets" USING btree ("project_id","version");--> statement-breakpoint
CREATE INDEX "uploads_project_id_index" ON "uploads" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "uploads_created_at_index" ON "uploads" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_project_id_created_at_id_index" ON "jobs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_scenario_id_index" ON "jobs" USING btree ("scenario_id");--> statement-breakpoint
CREATE INDEX "outbox_events_waiting" ON "outbox_events" USING btree ("sequence") WHERE "outbox_events"."published_at" is null;--> statement-breakpoint
CREATE INDEX "models_project_id_created_at_index" ON "models" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "project_dependencies_upstream_project_id_index" ON "project_dependencies" USING btree ("upstream_project_id");--> statement-breakpoint
CREATE INDEX "scenario_checkpoints_checkpoint_id_index" ON "scenario_checkpoints" USING btree ("checkpoint_id");--> statement-breakpoint
CREATE INDEX "scenarios_project_id_created_at_index" ON "scenarios" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "scenarios_checkpoint_id_index" ON "scenarios" USING btree ("checkpoint_id");--> statement-breakpoint
CREATE INDEX "scenarios_job_id_index" ON "scenarios" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "scenarios_base_scenario_id_index" ON "scenarios" USING btree ("base_scenario_id");--> statement-breakpoint
CREATE INDEX "account_user_id_index" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_user_id_index" ON "session" USING btree ("user_id");