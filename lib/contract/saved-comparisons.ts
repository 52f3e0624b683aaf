import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { limits } from "./limits.ts";
import { visibleLine } from "./visible-line.ts";

const decisionFields = {
  scenarioId: Id.describe("ID of the chosen scenario, which may be deleted since."),
  scenarioTitle: z.string().describe("Title of the scenario at the decision."),
  runId: Id.describe("ID of the run that the scenario showed at the decision."),
  reason: z.string().describe("Reason for the decision."),
  from: Instant.nullable().describe("Time of the scenario's first row. `null` without times."),
  to: Instant.nullable().describe("Time of the scenario's last row."),
  rows: z.number().int().describe("Number of the scenario's rows."),
  total: z
    .number()
    .nullable()
    .describe("Expected total at the decision: the sum of all predictions, with overrides."),
  lower: z
    .number()
    .nullable()
    .describe("Lower bound of the 90% prediction interval of the total. `null` without one."),
  upper: z.number().nullable().describe("Upper bound of the 90% prediction interval of the total."),
  decidedAt: Instant.describe("Time of the decision."),
  decidedBy: z.string().describe("User identifier of who decided."),
};
/** A decision for a scenario of a comparison. It states what was expected then, and never changes. */
export const Decision = z.object(decisionFields).meta({ id: "Decision" });
export type Decision = z.infer<typeof Decision>;

/** A decision, and what came since. */
export const DecisionOutcome = z
  .object({
    comparisonId: Id.describe("ID of the saved comparison."),
    comparisonName: z.string().describe("Name of the saved comparison."),
    ...decisionFields,
    actual: z
      .number()
      .nullable()
      .describe("Sum of the actual values that are known from `from` to `to`. `null` without any."),
    actualRows: z.number().int().describe("Number of these values. Compare totals once it reaches `rows`."),
  })
  .meta({ id: "DecisionOutcome" });
export type DecisionOutcome = z.infer<typeof DecisionOutcome>;

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
    decision: Decision.nullable().describe("Recorded decision for one of the scenarios. `null` without one."),
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
  .strictObject({
    name: optional(ComparisonName),
    scenarioIds: optional(ScenarioIds),
    decision: z
      .strictObject({
        scenarioId: Id.toLowerCase().describe("ID of the chosen scenario, one of the comparison."),
        reason: visibleLine(1, limits.decisionReasonMax).describe("Reason for the decision."),
      })
      .nullish()
      .describe("Decision to record. Replaces a former one. `null` removes it."),
  })
  .refine(hasAnyField, "Send at least one of name, scenarioIds and decision");
export type UpdateComparison = z.infer<typeof UpdateComparison>;
