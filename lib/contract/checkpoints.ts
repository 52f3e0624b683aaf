import { z } from "zod";
import { Description, Id, Instant } from "./common.ts";
import { limits } from "./limits.ts";
import { FeatureEngineering, InputFeature, TrainingMetrics } from "./models.ts";

export const Label = z
  .string()
  .trim()
  .min(limits.labelMin)
  .max(limits.labelMax)
  .meta({ description: "2-100 characters, unique within the project" });

export const Checkpoint = z
  .object({
    id: Id,
    projectId: Id,
    label: z.string(),
    description: z.string().nullable(),
    createdAt: Instant,
    createdBy: z.string(),
    isDefault: z.boolean(),
    linkedCheckpointId: Id.nullable(),
    modelName: z.string(),
    primaryMetricValue: z.number().nullable(),
    targetMetric: z.string(),
  })
  .meta({ id: "Checkpoint" });
export type Checkpoint = z.infer<typeof Checkpoint>;

export const CheckpointDetail = Checkpoint.extend({
  trainingMetrics: TrainingMetrics,
  inputFeatures: z.array(InputFeature),
  featureEngineering: FeatureEngineering,
  modelFormat: z.string(),
  artifactBytes: z.number().int(),
  sha256: z.string(),
  trainedAt: Instant,
  trainingRows: z.number().int(),
  usedByScenarios: z.number().int(),
  folderName: z.string(),
  dependentProjectCheckpoints: z
    .record(z.string(), Id)
    .meta({ description: "Dependent project → the checkpoint of it that this one was made with" }),
}).meta({ id: "CheckpointDetail" });
export type CheckpointDetail = z.infer<typeof CheckpointDetail>;

export const CreateCheckpoint = z.strictObject({
  label: Label.nullish().meta({
    description: "2-100 characters, unique within the project; `<ProjectName>_<YYYYMMDD>` without it",
  }),
  description: Description.nullish(),
  setAsDefault: z.boolean().optional().meta({ description: "The first checkpoint is the default anyway" }),
});
export type CreateCheckpoint = z.infer<typeof CreateCheckpoint>;

/** The record's read-only fields: accepted and left alone, so that a client can send back what it got. */
const readOnly = Object.fromEntries(
  Object.keys(CheckpointDetail.shape)
    .filter((name) => name !== "label" && name !== "description")
    .map((name) => [name, z.unknown().optional()]),
);

export const UpdateCheckpoint = z
  .strictObject({
    ...readOnly,
    label: Label.optional(),
    description: Description.nullish(),
    setAsDefault: z.boolean().optional(),
  })
  .refine(
    (body) => body.label !== undefined || body.description !== undefined || body.setAsDefault !== undefined,
    "Send at least one of label, description and setAsDefault",
  );
export type UpdateCheckpoint = { label?: string; description?: string | null; setAsDefault?: boolean };

export const CheckpointAccepted = z
  .object({ message: z.string(), checkpointId: Id, jobId: Id })
  .meta({ id: "CheckpointAccepted" });
