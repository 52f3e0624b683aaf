-- Answers kept in the old form cannot be told apart by the new one: their keys are free again.
DELETE FROM "idempotency_keys";--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "locked_until" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "request_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "call_hash" text NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "body_hash" text;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "answer" "bytea";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "request_hash";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "headers";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "body";