import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FeatureEngineering, InputFeature, Model, TrainingMetrics } from "#lib/contract/models";
import type { Warning } from "#lib/contract/warnings";
import { createdAt, id, instant } from "./columns.ts";
import { projectId } from "./projects.ts";

/** Fields of a model that are shown. No query filters by them. */
export type ModelDetails = Pick<
  Model,
  | "importance"
  | "effects"
  | "predicts"
  | "panel"
  | "validation"
  | "classification"
  | "leaderboard"
  | "coverage"
  | "coverageBySteps"
> & {
  /** Version of the dataset; absent for imported and older models. */
  datasetVersionId?: string | undefined;
  /** Rows of the dataset; absent for imported models. */
  datasetRows?: number | undefined;
  /** Interval between these rows, as datasets present it; absent for imported and older models. */
  datasetFrequency?: string | null | undefined;
  warnings: Warning[];
  /** The training request. */
  request: Record<string, unknown>;
  /** The request with the values that the search found; absent without a search. */
  resolvedRequest?: Record<string, unknown>;
};

/** Columns shared by a model and its snapshot, the checkpoint. */
export const modelColumns = () => ({
  modelName: text("model_name").notNull(),
  algorithm: text("algorithm").notNull(),
  target: text("target").notNull(),
  targetMetric: text("target_metric").notNull(),
  primaryMetricValue: doublePrecision("primary_metric_value"),
  trainingMetrics: jsonb("training_metrics").$type<TrainingMetrics>().notNull(),
  inputFeatures: jsonb("input_features").$type<InputFeature[]>().notNull(),
  featureEngineering: jsonb("feature_engineering").$type<FeatureEngineering>().notNull(),
  modelFormat: text("model_format").notNull(),
  artifactBytes: bigint("artifact_bytes", { mode: "number" }).notNull(),
  sha256: text("sha256").notNull(),
  trainedAt: instant("trained_at").notNull(),
  trainingRows: integer("training_rows").notNull(),
});

/** A trained or imported model. Its row never changes. */
export const models = pgTable(
  "models",
  {
    id: id(),
    projectId: projectId(),
    ...modelColumns(),
    source: text("source", { enum: ["trained", "imported"] }).notNull(),
    details: jsonb("details").$type<ModelDetails>().notNull(),
    /** Upstream checkpoints whose predictions were used in training: project → checkpoint. */
    upstream: jsonb("upstream").$type<Record<string, string>>().notNull().default({}),
    artifactKey: text("artifact_key").notNull(),
    jobId: uuid("job_id"),
    createdAt: createdAt(),
    createdBy: text("created_by").notNull(),
  },
  (table) => [
    unique("models_tenant").on(table.projectId, table.id),
    uniqueIndex("models_of_job").on(table.jobId),
    index().on(table.projectId, table.createdAt),
  ],
);
