import { z } from "zod";
import { Description, Id, Instant, ListQuery, optional } from "./common.ts";
import { FileData, oneSource, UploadId } from "./datasets.ts";
import { limits } from "./limits.ts";
import { Model } from "./models.ts";
import { visibleLine } from "./visible-line.ts";

export const Label = visibleLine(limits.labelMin, limits.labelMax).meta({
  description: "Label of the checkpoint: 2-100 characters, unique within the project.",
});

const usedByScenarios = z.number().int().meta({
  description:
    "Number of scenarios that use the checkpoint. A checkpoint can be deleted if no scenario uses it. Lists include this field only on request.",
});

export const Checkpoint = z
  .object({
    id: Id.meta({ description: "Unique identifier of the checkpoint." }),
    projectId: Id.meta({ description: "ID of the owning project." }),
    label: z
      .string()
      .meta({ description: "Label of the checkpoint: 2-100 characters, unique within the project." }),
    description: z.string().nullable().meta({ description: "Free text. May be empty or `null`." }),
    createdAt: Instant.meta({ description: "Time of creation." }),
    createdBy: z.string().meta({ description: "User identifier of the creator." }),
    isDefault: z.boolean().meta({ description: "Whether this is the project's default checkpoint." }),
    linkedCheckpointId: Id.nullable().meta({
      description:
        "ID of the main checkpoint, if this checkpoint was created automatically alongside it. Otherwise `null`.",
    }),
    modelId: Id.nullable().optional().meta({
      description: "ID of the model that the checkpoint was saved from. `null` for an imported checkpoint.",
    }),
    modelName: z.string().meta({ description: "Name of the model algorithm." }),
    primaryMetricValue: z
      .number()
      .nullable()
      .meta({ description: "Target metric score at the time the checkpoint was saved." }),
    targetMetric: z.string().meta({ description: "Name of the target metric." }),
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
  sha256: z.string().meta({ description: "SHA-256 digest of the stored model." }),
  trainedAt: Model.shape.trainedAt,
  trainingRows: Model.shape.trainingRows,
  usedByScenarios,
  folderName: z.string().meta({ description: "Folder name derived from the label, at most 50 characters." }),
  dependentProjectCheckpoints: z.record(z.string(), Id).meta({
    description:
      "Upstream checkpoints that this checkpoint was created with: ID of the upstream project → ID of its checkpoint.",
  }),
}).meta({ id: "CheckpointDetail" });
export type CheckpointDetail = z.infer<typeof CheckpointDetail>;

export const ListCheckpointsQuery = ListQuery.extend({
  include: z
    .literal("usage")
    .optional()
    .meta({ description: "Additional fields to return: `usage` adds `usedByScenarios`." }),
});

const setAsDefault = optional(z.boolean()).meta({
  description:
    "Whether to make this the default checkpoint. The first checkpoint of a project is always the default.",
});

export const CreateCheckpoint = z.strictObject({
  modelId: optional(Id).meta({
    description: "ID of an earlier model of the project to save. Defaults to the current model.",
  }),
  label: optional(Label).meta({
    description:
      "Label of the checkpoint: 2-100 characters, unique within the project. Defaults to `<ProjectName>_<YYYYMMDD>`.",
  }),
  description: optional(Description).meta({ description: "Free text." }),
  setAsDefault,
});
export type CreateCheckpoint = z.infer<typeof CreateCheckpoint>;

export const ImportCheckpoint = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    label: optional(Label).meta({
      description:
        "Label of the checkpoint: 2-100 characters, unique within the project. Defaults to the exported label. If that label is taken, it gets a suffix `_02`, `_03`, ….",
    }),
    description: optional(Description).meta({
      description: "Free text. Defaults to the exported description.",
    }),
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
    .map((name) => [name, z.unknown().optional().meta({ description: "Read-only. Accepted and ignored." })]),
);

export const UpdateCheckpoint = z
  .strictObject({
    ...readOnly,
    label: optional(Label),
    description: Description.nullish().meta({ description: "Free text. `null` clears the description." }),
    setAsDefault: optional(z.boolean()).meta({
      description:
        "`true` makes this the default checkpoint. `false` on the default checkpoint changes nothing.",
    }),
  })
  .refine(
    (body) => body.label !== undefined || body.description !== undefined || body.setAsDefault !== undefined,
    "Send at least one of label, description and setAsDefault",
  );
export type UpdateCheckpoint = { label?: string; description?: string | null; setAsDefault?: boolean };

export const CheckpointAccepted = z
  .object({
    message: z.string().meta({
      description:
        "Human-readable message: the action that was initiated and how its completion is announced.",
    }),
    checkpointId: Id.meta({ description: "ID of the checkpoint." }),
    jobId: Id.meta({ description: "ID of the background job." }),
  })
  .meta({ id: "CheckpointAccepted" });
