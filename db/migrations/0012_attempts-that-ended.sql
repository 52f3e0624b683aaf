ALTER TABLE "jobs" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "handovers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_attempts" CHECK ("jobs"."failures" >= 0 and "jobs"."handovers" >= 0 and "jobs"."failures" + "jobs"."handovers" <= "jobs"."attempt");