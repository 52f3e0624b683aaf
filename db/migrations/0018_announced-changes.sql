ALTER TABLE "projects" ADD COLUMN "serving_changes_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "api_key_uses_day_index" ON "api_key_uses" USING btree ("day");