import { z } from "zod";
import { Description, Id, Instant } from "./common.ts";
import { limits } from "./limits.ts";

export const ProjectName = z.string().trim().min(1).max(limits.projectNameMax);

export const Dependency = z
  .object({
    projectId: Id.meta({ description: "The upstream project, whose predictions are used" }),
    featureName: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .meta({ description: "Name of the input feature that they become" }),
  })
  .meta({ id: "Dependency" });
export type Dependency = z.infer<typeof Dependency>;

export const Project = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    target: z.string().nullable(),
    currentModel: z
      .object({
        id: Id,
        modelName: z.string(),
        targetMetric: z.string(),
        primaryMetricValue: z.number().nullable(),
        trainedAt: Instant,
      })
      .nullable(),
    defaultCheckpointId: Id.nullable(),
    dependencies: z.array(Dependency),
    createdAt: Instant,
    createdBy: z.string(),
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof Project>;

export const CreateProject = z.strictObject({ name: ProjectName, description: Description.nullish() });
export type CreateProject = z.infer<typeof CreateProject>;

export const UpdateProject = z
  .strictObject({ name: ProjectName.optional(), description: Description.nullish() })
  .refine((body) => Object.keys(body).length > 0, "Send at least one field to change");
export type UpdateProject = z.infer<typeof UpdateProject>;

export const PutDependencies = z.strictObject({
  dependencies: z.array(z.strictObject(Dependency.shape)).max(20),
});
export type PutDependencies = z.infer<typeof PutDependencies>;
