import { z } from "zod";
import { DateOrInstant, Id, Instant, optional } from "./common.ts";
import { Conditions } from "./conditions.ts";
import { limits } from "./limits.ts";
import { visibleLine } from "./visible-line.ts";

const operation = z.enum(["set", "add", "multiply"]);
const operationText =
  "`set` replaces the predictions of the span, which then have no interval. `add` and `multiply` move the predictions and their intervals.";
const valueText = "The new value, the number to add, or the factor, which must not be negative.";
const whereText = "Conditions on series and level columns that a row must all meet. `null`: all rows.";

export const ScenarioOverride = z
  .object({
    id: Id.describe("Unique identifier of the override."),
    projectId: Id.describe("ID of the owning project."),
    scenarioId: Id.describe("ID of the scenario whose predictions it changes."),
    from: Instant.describe("First time of the span."),
    to: Instant.describe("Last time of the span, inclusive."),
    operation: operation.describe(operationText),
    value: z.number().describe(valueText),
    reason: z.string().describe("Reason for the override."),
    where: Conditions.nullable().describe(whereText),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("User identifier of the author."),
  })
  .meta({ id: "ScenarioOverride" });
export type ScenarioOverride = z.infer<typeof ScenarioOverride>;

export const CreateOverride = z
  .strictObject({
    from: DateOrInstant.describe("First time of the span."),
    to: DateOrInstant.describe("Last time of the span, inclusive."),
    operation: operation.describe(operationText),
    value: z.number().describe(valueText),
    reason: visibleLine(1, limits.overrideReasonMax).describe("Reason for the override."),
    where: optional(Conditions).describe(
      "Conditions on series and level columns that a row must all meet, with the operators `=` and `!=`. Only for scenarios of many series.",
    ),
  })
  .refine(({ operation, value }) => operation !== "multiply" || value >= 0, {
    path: ["value"],
    error: "Use a factor that is not negative. To change the sign of predictions, use `set`",
  });
export type CreateOverride = z.infer<typeof CreateOverride>;
