ALTER TABLE "comparisons" ADD COLUMN "decision" jsonb;
