import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { limits } from "./limits.ts";
import { visibleLine } from "./visible-line.ts";

export const SavedComparison = z
  .object({
    id: Id.describe("Unique identifier of the saved comparison."),
    projectId: Id.describe("ID of the owning project."),
    name: z.string().describe("Name of the comparison."),
    scenarioIds: z
      .array(Id)
      .describe(
        "IDs of the compared scenarios, in order. The first is the baseline scenario. Deleted scenarios leave the list, so it can become shorter than a comparison needs.",
      ),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("User identifier of the creator."),
  })
  .meta({ id: "SavedComparison" });
export type SavedComparison = z.infer<typeof SavedComparison>;

export const ComparisonName = visibleLine(1, limits.comparisonNameMax).describe("Name of the comparison.");

const ScenarioIds = z
  .array(Id.toLowerCase())
  .min(limits.compareMin)
  .max(limits.compareMax)
  .refine((ids) => new Set(ids).size === ids.length, "Name each scenario once")
  .describe("IDs of the scenarios to compare, in order. The first is the baseline scenario.");

export const CreateComparison = z.strictObject({ name: ComparisonName, scenarioIds: ScenarioIds });
export type CreateComparison = z.infer<typeof CreateComparison>;

export const UpdateComparison = z
  .strictObject({ name: optional(ComparisonName), scenarioIds: optional(ScenarioIds) })
  .refine(hasAnyField, "Send at least one of name and scenarioIds");
export type UpdateComparison = z.infer<typeof UpdateComparison>;
