ALTER TABLE "scenario_checkpoints" ALTER COLUMN "checkpoint_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "scenarios" ALTER COLUMN "checkpoint_id" DROP NOT NULL;