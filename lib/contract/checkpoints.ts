import { z } from "zod";
import { Description, Id, Instant, ListQuery, optional } from "./common.ts";
import { FileData, UploadId } from "./datasets.ts";
import { limits } from "./limits.ts";
import { FeatureEngineering, InputFeature, TrainingMetrics } from "./models.ts";

export const Label = z
  .string()
  .trim()
  .min(limits.labelMin)
  .max(limits.labelMax)
  .meta({ description: "2-100 characters, unique within the project" });

const usedByScenarios = z
  .number()
  .int()
  .meta({ description: "Scenarios that hold it; 0: it can be deleted. In a list where asked for" });

export const Checkpoint = z
  .object({
    id: Id.meta({ description: "Checkpoint identifier" }),
    projectId: Id.meta({ description: "Owning project" }),
    label: z.string().meta({ description: "2-100 characters, unique within the project" }),
    description: z.string().nullable().meta({ description: "Free text, may be empty or null" }),
    createdAt: Instant.meta({ description: "Creation time" }),
    createdBy: z.string().meta({ description: "User identifier of the creator" }),
    isDefault: z.boolean().meta({ description: "Whether it is the project's default checkpoint" }),
    linkedCheckpointId: Id.nullable().meta({
      description:
        "If it was auto-created alongside another, the identifier of the main checkpoint; otherwise null",
    }),
    modelName: z.string().meta({ description: "Name of the model algorithm" }),
    primaryMetricValue: z
      .number()
      .nullable()
      .meta({ description: "Target metric score at the time the checkpoint was saved" }),
    targetMetric: z.string().meta({ description: "Name of the target metric" }),
    usedByScenarios: usedByScenarios.optional(),
  })
  .meta({ id: "Checkpoint" });
export type Checkpoint = z.infer<typeof Checkpoint>;

export const CheckpointDetail = Checkpoint.extend({
  trainingMetrics: TrainingMetrics,
  inputFeatures: z.array(InputFeature).meta({ description: "What the model takes" }),
  featureEngineering: FeatureEngineering,
  modelFormat: z.string().meta({ description: "Of the stored model: `onnx`" }),
  artifactBytes: z.number().int().meta({ description: "Size of the stored model" }),
  sha256: z.string().meta({ description: "Digest of the stored model" }),
  trainedAt: Instant.meta({ description: "When the model was trained or imported" }),
  trainingRows: z
    .number()
    .int()
    .meta({ description: "Rows that it was fitted on, the validation rows included" }),
  usedByScenarios,
  folderName: z.string().meta({ description: "Derived from the label, at most 50 characters" }),
  dependentProjectCheckpoints: z
    .record(z.string(), Id)
    .meta({ description: "Dependent project → the checkpoint of it that this one was made with" }),
}).meta({ id: "CheckpointDetail" });
export type CheckpointDetail = z.infer<typeof CheckpointDetail>;

export const ListCheckpointsQuery = ListQuery.extend({
  include: z.literal("usage").optional().meta({ description: "To have `usedByScenarios` told as well" }),
});

export const CreateCheckpoint = z.strictObject({
  label: optional(Label).meta({
    description: "2-100 characters, unique within the project; `<ProjectName>_<YYYYMMDD>` without it",
  }),
  description: optional(Description).meta({ description: "Free text" }),
  setAsDefault: optional(z.boolean()).meta({ description: "The first checkpoint is the default anyway" }),
});
export type CreateCheckpoint = z.infer<typeof CreateCheckpoint>;

export const ImportCheckpoint = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    label: optional(Label).meta({
      description:
        "2-100 characters, unique within the project; without it the exported one, with a suffix `_02`, `_03`, … where that is taken",
    }),
    description: optional(Description).meta({ description: "Free text; the exported one without it" }),
    setAsDefault: optional(z.boolean()).meta({ description: "The first checkpoint is the default anyway" }),
  })
  .refine((body) => (body.fileData === undefined) !== (body.uploadId === undefined), {
    message: "Send either fileData or uploadId",
    path: ["fileData"],
  });
export type ImportCheckpoint = z.infer<typeof ImportCheckpoint>;

/** The record's read-only fields: accepted and left alone, so that a client can send back what it got. */
const readOnly = Object.fromEntries(
  Object.keys(CheckpointDetail.shape)
    .filter((name) => name !== "label" && name !== "description")
    .map((name) => [name, z.unknown().optional().meta({ description: "Read-only: left alone" })]),
);

export const UpdateCheckpoint = z
  .strictObject({
    ...readOnly,
    label: optional(Label),
    description: Description.nullish().meta({ description: "Free text; null empties it" }),
    setAsDefault: optional(z.boolean()).meta({
      description: "true makes it the default; false on the default changes nothing",
    }),
  })
  .refine(
    (body) => body.label !== undefined || body.description !== undefined || body.setAsDefault !== undefined,
    "Send at least one of label, description and setAsDefault",
  );
export type UpdateCheckpoint = { label?: string; description?: string | null; setAsDefault?: boolean };

export const CheckpointAccepted = z
  .object({
    message: z.string().meta({ description: "What was initiated, and how its completion is told" }),
    checkpointId: Id.meta({ description: "The checkpoint" }),
    jobId: Id.meta({ description: "The job that does it" }),
  })
  .meta({ id: "CheckpointAccepted" });
