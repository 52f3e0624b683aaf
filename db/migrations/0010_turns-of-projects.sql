DROP INDEX "jobs_open";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "turn" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_waiting_of_project" ON "jobs" USING btree ("project_id","type","turn") WHERE "jobs"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX "jobs_begun_by_turn" ON "jobs" USING btree ("type","turn") WHERE "jobs"."attempt" > 0;--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("type","status","created_at") WHERE "jobs"."status" in ('Pending', 'Running');