import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { PredictionsQuery } from "./scenario-series.ts";

export const DifferenceQuery = PredictionsQuery.pick({ maxPoints: true, from: true, to: true }).extend({
  baselineId: z.string().max(100).meta({ description: "The scenario that it is compared with" }),
});

const Values = z.array(z.number().nullable());

export const DifferencePart = z
  .object({
    kind: z.enum(["input", "upstream", "checkpoint", "history", "unexplained"]).meta({
      description:
        "`input`: values of a feature; `upstream`: of a feature that another project predicts; `checkpoint`: the model, with what only one of the two reads; `history`: what is known of the target before, and rows that only one of the two has, where the model looks back; `unexplained`: what is left over",
    }),
    feature: z.string().nullable().meta({ description: "The input feature; null for the other kinds" }),
    projectId: Id.nullable().meta({ description: "Whose predictions the feature holds, for `upstream`" }),
    total: z.number().meta({ description: "Over every shared row of the shown stretch" }),
    values: Values.meta({ description: "At each point" }),
  })
  .meta({ id: "DifferencePart" });
export type DifferencePart = z.infer<typeof DifferencePart>;

export const Difference = z
  .object({
    scenarioId: Id.meta({ description: "The scenario" }),
    baselineId: Id.meta({ description: "The one that it is compared with" }),
    method: z.enum(["exact", "sampled", "none"]).meta({
      description:
        "`exact`: Shapley values; `sampled`: an estimate of them, which adds up as exactly; `none`: too many rows for a model that looks back at its target",
    }),
    commonRows: z.number().int().meta({ description: "Rows that both have in the shown stretch" }),
    splitRows: z
      .number()
      .int()
      .meta({ description: "Those that were split; totals are scaled up from them" }),
    onlyInScenario: z
      .number()
      .int()
      .meta({ description: "Rows that only the scenario has; not in any part" }),
    onlyInBaseline: z
      .number()
      .int()
      .meta({ description: "Rows that only the baseline has; not in any part" }),
    baselineTotal: z.number().meta({ description: "Sum of the baseline's predictions over the shared rows" }),
    scenarioTotal: z.number().meta({ description: "Sum of the scenario's predictions over the shared rows" }),
    totalDifference: z.number().meta({ description: "What the totals of all parts add up to" }),
    parts: z.array(DifferencePart).meta({ description: "Largest first" }),
    timestamps: z.array(Instant).optional().meta({ description: "Time of each point" }),
    rows: z
      .array(z.number().int())
      .optional()
      .meta({ description: "Row of each point, where one of the two has no times" }),
    differences: Values.meta({ description: "What the parts add up to at each point" }),
  })
  .meta({ id: "Difference" });
export type Difference = z.infer<typeof Difference>;
