import { z } from "zod";
import { Description, Id, Instant, ListQuery, optional } from "./common.ts";
import { FileData, oneSource, UploadId } from "./dataset-requests.ts";
import { limits } from "./limits.ts";
import { Model } from "./models.ts";
import { visibleLine } from "./visible-line.ts";

export const Label = visibleLine(limits.labelMin, limits.labelMax).describe(
  "Label of the checkpoint: 2-100 characters, unique within the project.",
);

const usedByScenarios = z
  .number()
  .int()
  .describe(
    "Number of scenarios that use the checkpoint. A checkpoint can be deleted if no scenario uses it. Lists include this field only on request.",
  );

export const Checkpoint = z
  .object({
    id: Id.describe("Unique identifier of the checkpoint."),
    projectId: Id.describe("ID of the owning project."),
    label: z.string().describe("Label of the checkpoint: 2-100 characters, unique within the project."),
    description: z.string().nullable().describe("Free text. May be empty or `null`."),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("User identifier of the creator."),
    isDefault: z.boolean().describe("Whether this is the project's default checkpoint."),
    linkedCheckpointId: Id.nullable().describe(
      "ID of the main checkpoint, if this checkpoint was created automatically alongside it. Otherwise `null`.",
    ),
    modelId: Id.nullable()
      .optional()
      .describe("ID of the model that the checkpoint was saved from. `null` for an imported checkpoint."),
    modelName: z.string().describe("Name of the model algorithm."),
    primaryMetricValue: z
      .number()
      .nullable()
      .describe("Target metric score at the time the checkpoint was saved."),
    targetMetric: z.string().describe("Name of the target metric."),
    usedByScenarios: usedByScenarios.optional(),
  })
  .meta({ id: "Checkpoint" });
export type Checkpoint = z.infer<typeof Checkpoint>;

export const CheckpointDetail = Checkpoint.extend({
  trainingMetrics: Model.shape.trainingMetrics,
  inputFeatures: Model.shape.inputFeatures,
  featureEngineering: Model.shape.featureEngineering,
  modelFormat: Model.shape.modelFormat,
  artifactBytes: Model.shape.artifactBytes,
  sha256: z.string().describe("SHA-256 digest of the stored model."),
  trainedAt: Model.shape.trainedAt,
  trainingRows: Model.shape.trainingRows,
  usedByScenarios,
  folderName: z.string().describe("Folder name derived from the label, at most 50 characters."),
  dependentProjectCheckpoints: z
    .record(z.string(), Id)
    .describe(
      "Upstream checkpoints that this checkpoint was created with: ID of the upstream project → ID of its checkpoint.",
    ),
}).meta({ id: "CheckpointDetail" });
export type CheckpointDetail = z.infer<typeof CheckpointDetail>;

export const ListCheckpointsQuery = ListQuery.extend({
  include: z
    .literal("usage")
    .optional()
    .describe("Additional fields to return: `usage` adds `usedByScenarios`."),
});

const setAsDefault = optional(z.boolean()).describe(
  "Whether to make this the default checkpoint. The first checkpoint of a project is always the default.",
);

export const CreateCheckpoint = z.strictObject({
  modelId: optional(Id).describe(
    "ID of an earlier model of the project to save. Defaults to the current model.",
  ),
  label: optional(Label).describe(
    "Label of the checkpoint: 2-100 characters, unique within the project. Defaults to `<ProjectName>_<YYYYMMDD>`.",
  ),
  description: optional(Description).describe("Free text."),
  setAsDefault,
});
export type CreateCheckpoint = z.infer<typeof CreateCheckpoint>;

export const ImportCheckpoint = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    label: optional(Label).describe(
      "Label of the checkpoint: 2-100 characters, unique within the project. Defaults to the exported label. If that label is taken, it gets a suffix `_02`, `_03`, ….",
    ),
    description: optional(Description).describe("Free text. Defaults to the exported description."),
    setAsDefault,
  })
  .refine(...oneSource);
export type ImportCheckpoint = z.infer<typeof ImportCheckpoint>;

/**
 * Read-only fields of the record. They are accepted and ignored, so that a client can send back the record it received.
 */
const readOnly = Object.fromEntries(
  Object.keys(CheckpointDetail.shape)
    .filter((name) => name !== "label" && name !== "description")
    .map((name) => [name, z.unknown().optional().describe("Read-only. Accepted and ignored.")]),
);

export const UpdateCheckpoint = z
  .strictObject({
    ...readOnly,
    label: optional(Label),
    description: Description.nullish().describe("Free text. `null` clears the description."),
    setAsDefault: optional(z.boolean()).describe(
      "`true` makes this the default checkpoint. `false` on the default checkpoint changes nothing.",
    ),
  })
  .refine(
    (body) => body.label !== undefined || body.description !== undefined || body.setAsDefault !== undefined,
    "Send at least one of label, description and setAsDefault",
  );
export type UpdateCheckpoint = { label?: string; description?: string | null; setAsDefault?: boolean };

export const CheckpointAccepted = z
  .object({
    message: z
      .string()
      .describe("Human-readable message: the action that was initiated and how its completion is announced."),
    checkpointId: Id.describe("ID of the checkpoint."),
    jobId: Id.describe("ID of the background job."),
  })
  .meta({ id: "CheckpointAccepted" });
