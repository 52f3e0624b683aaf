import { z } from "zod";
import { Description, Id, Instant, optional, saysSomething } from "./common.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";

export const ProjectName = z
  .string()
  .trim()
  .min(1)
  .max(limits.projectNameMax)
  .meta({ description: "Name, need not be unique" });

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
    id: Id.meta({ description: "Project identifier" }),
    name: z.string().meta({ description: "Name" }),
    description: z.string().nullable().meta({ description: "Free text" }),
    target: z
      .string()
      .nullable()
      .meta({ description: "Column that its models predict; null before there is data" }),
    currentModel: z
      .object({
        id: Id.meta({ description: "Model identifier" }),
        modelName: z.string().meta({ description: "Name of the algorithm, or of the imported model" }),
        targetMetric: z.string().meta({ description: "Metric by which it is judged" }),
        primaryMetricValue: z
          .number()
          .nullable()
          .meta({ description: "That metric on the validation rows; null where there were none" }),
        trainedAt: Instant.meta({ description: "When it was trained or imported" }),
      })
      .nullable()
      .meta({ description: "The latest trained or imported model; null before there is one" }),
    defaultCheckpointId: Id.nullable().meta({ description: "Checkpoint that predictions use by default" }),
    dependencies: z
      .array(Dependency)
      .meta({ description: "Projects whose predictions are input features of this one" }),
    createdAt: Instant.meta({ description: "Creation time" }),
    createdBy: z.string().meta({ description: "User identifier of the creator" }),
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof Project>;

/**
 * A project in the list: also what goes on in it. What is read of one project alone has none of this, so that its entity
 * tag stays the same while its jobs run.
 */
export const ProjectOverview = Project.extend({
  defaultCheckpointLabel: z.string().nullable().meta({ description: "Label of the default checkpoint" }),
  lastScenario: z
    .object({
      id: Id.meta({ description: "Scenario identifier" }),
      title: z.string().meta({ description: "Scenario name" }),
      color: z.string().meta({ description: "Hex colour for display" }),
      status: JobStatus.meta({ description: "Of its job" }),
      createdAt: Instant.meta({ description: "Creation time" }),
    })
    .nullable()
    .meta({ description: "The scenario created last; null where there is none" }),
  openJobs: z.number().int().meta({ description: "Jobs that are Pending or Running" }),
}).meta({ id: "ProjectOverview" });
export type ProjectOverview = z.infer<typeof ProjectOverview>;

export const CreateProject = z.strictObject({
  name: ProjectName,
  description: optional(Description).meta({ description: "Free text" }),
});
export type CreateProject = z.infer<typeof CreateProject>;

export const UpdateProject = z
  .strictObject({
    name: optional(ProjectName),
    description: Description.nullish().meta({ description: "Free text; null empties it" }),
  })
  .refine(saysSomething, "Send at least one field to change");
export type UpdateProject = z.infer<typeof UpdateProject>;

export const PutDependencies = z.strictObject({
  dependencies: z
    .array(z.strictObject(Dependency.shape))
    .max(20)
    .meta({ description: "All of them: the list replaces the one before" }),
});
export type PutDependencies = z.infer<typeof PutDependencies>;
