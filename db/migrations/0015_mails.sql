CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"user_id" text NOT NULL,
	"job_id" uuid,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_once" UNIQUE NULLS NOT DISTINCT("user_id","kind","job_id"),
	CONSTRAINT "mails_kind" CHECK ("mails"."kind" in ('password-reset', 'invitation', 'job-ended')),
	CONSTRAINT "mails_job" CHECK (("mails"."kind" = 'job-ended') = ("mails"."job_id" is not null)),
	CONSTRAINT "mails_attempts" CHECK ("mails"."attempts" >= 0)
);
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "mails_job_id_index" ON "mails" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "verification_identifier_index" ON "verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verification_value_index" ON "verification" USING btree ("value");--> statement-breakpoint
CREATE INDEX "verification_expires_at_index" ON "verification" USING btree ("expires_at");