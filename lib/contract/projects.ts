import { z } from "zod";
import { Description, hasAnyField, Id, Instant, optional } from "./common.ts";
import { Display, PutDisplay } from "./display.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";
import { Model } from "./models.ts";
import { ProjectAccess, ProjectRole } from "./project-members.ts";
import { visibleLine } from "./visible-line.ts";

export const ProjectName = visibleLine(1, limits.projectNameMax).describe(
  "Name of the project. Names need not be unique.",
);

const RunsKept = z.int().min(1).max(limits.runsKeptMax);

export const Dependency = z
  .object({
    projectId: Id.describe("ID of the upstream project whose predictions this project uses."),
    featureName: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .describe("Name of the input feature that holds the predictions."),
  })
  .meta({ id: "Dependency" });
export type Dependency = z.infer<typeof Dependency>;

export const Project = z
  .object({
    id: Id.describe("Unique identifier of the project."),
    name: z.string().describe("Name of the project."),
    description: z.string().nullable().describe("Free text."),
    target: z
      .string()
      .nullable()
      .describe(
        "Name of the column that the project's models predict. `null` until the project has a dataset or a model.",
      ),
    hasDataset: z
      .boolean()
      .describe(
        "Whether the project has a dataset. `false` for a new project, and if its only model was imported.",
      ),
    currentModel: z
      .object({
        id: Id.describe("ID of the model."),
        modelName: Model.shape.modelName,
        targetMetric: Model.shape.targetMetric,
        primaryMetricValue: Model.shape.primaryMetricValue,
        trainedAt: Model.shape.trainedAt,
      })
      .nullable()
      .describe("Latest trained or imported model. `null` until the project has one."),
    defaultCheckpointId: Id.nullable().describe("ID of the checkpoint that predictions use by default."),
    dependencies: z
      .array(Dependency)
      .describe("Upstream projects whose predictions are input features of this project."),
    display: Display.describe(
      "Display names, units and decimals of the target and other columns, by column name.",
    ),
    units: z
      .record(z.string(), z.string())
      .describe("Units of the current dataset's number formats, by column name."),
    timezone: z
      .string()
      .nullable()
      .describe("IANA time zone of the current dataset, in which its days begin. `null` without a dataset."),
    frequency: z
      .string()
      .nullable()
      .describe(
        "Step of the current dataset as an ISO 8601 duration. `null` without a dataset, or without a regular step.",
      ),
    runsKept: RunsKept.describe("Number of completed runs that each scenario keeps, the latest ones."),
    access: ProjectAccess,
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("User identifier of the creator."),
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof Project>;

/** Fields that lists omit: settings, those that grow with the number of columns, and those of the dataset. */
const unlisted = { display: true, units: true, timezone: true, frequency: true, runsKept: true } as const;

/** Fields of a project that lists have, too. */
export type ProjectSummary = Omit<Project, keyof typeof unlisted>;

/**
 * A project in a list, with its current activity. The single project omits these fields, so that its entity tag stays
 * the same while jobs run.
 */
export const ProjectOverview = Project.omit(unlisted)
  .extend({
    defaultCheckpointLabel: z.string().nullable().describe("Label of the default checkpoint."),
    lastScenario: z
      .object({
        id: Id.describe("ID of the scenario."),
        title: z.string().describe("Title of the scenario."),
        color: z.string().describe("Hex colour for display."),
        status: JobStatus.describe("Status of the scenario's job."),
        createdAt: Instant.describe("Time of creation."),
      })
      .nullable()
      .describe("Latest scenario. `null` if the project has none."),
    openJobs: z.number().int().describe("Number of jobs that are `Pending` or `Running`."),
    role: ProjectRole.nullable().describe("Role of the caller in the project. `null` for an API key."),
  })
  .meta({ id: "ProjectOverview" });
export type ProjectOverview = z.infer<typeof ProjectOverview>;

export const CreateProject = z.strictObject({
  name: ProjectName,
  description: optional(Description).describe("Free text."),
});
export type CreateProject = z.infer<typeof CreateProject>;

export const UpdateProject = z
  .strictObject({
    name: optional(ProjectName),
    description: Description.nullish().describe("Free text. `null` clears the description."),
    display: optional(PutDisplay).describe(
      "Display names, units and decimals of columns, by column name. The object replaces the previous one.",
    ),
    runsKept: optional(RunsKept).describe(
      "Number of completed runs that each scenario keeps. A lower number deletes runs of a scenario when its next run completes.",
    ),
    access: optional(ProjectAccess).describe(
      "Access of users. Only admins of the project change it, not API keys.",
    ),
  })
  .refine(hasAnyField, "Send at least one field to change");
export type UpdateProject = z.infer<typeof UpdateProject>;

export const PutDependencies = z.strictObject({
  dependencies: z
    .array(z.strictObject(Dependency.shape))
    .max(20)
    .describe("All upstream projects. The list replaces the previous one."),
});
export type PutDependencies = z.infer<typeof PutDependencies>;
