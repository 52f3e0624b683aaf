import { z } from "zod";
import { Id, ListQuery, queryInteger } from "./common.ts";
import { differenceFields } from "./intervals.ts";
import { ComparedId, runQuery } from "./scenario-runs.ts";
import { ChartQuery, pointPlaces } from "./scenario-series.ts";
import { seriesQuery } from "./series-query.ts";
import { Values } from "./series-values.ts";

export const DifferenceQuery = ChartQuery.extend({
  baselineId: z
    .string()
    .max(100)
    .describe(
      "ID of the baseline scenario, or `<scenario ID>@<run ID>` for one of its runs, even of the same scenario.",
    ),
  ...runQuery,
  asOf: runQuery.asOf.describe(
    "Reads the runs that had completed last at this time, of the scenario, and of the baseline unless `baselineId` names a run. A date means its start in UTC. Not with `run`.",
  ),
  ...seriesQuery,
  limit: queryInteger(1, 1_000)
    .optional()
    .describe("With `by`: maximum number of groups to return, at most 1,000. Defaults to 50."),
  cursor: ListQuery.shape.cursor,
});

export const DifferencePart = z
  .object({
    kind: z
      .enum(["input", "upstream", "checkpoint", "history", "overrides", "unexplained"])
      .describe(
        "Cause of this part. `input`: values of a feature. `upstream`: values of a feature that an upstream project predicts. `checkpoint`: the model, with inputs that only one of the two scenarios uses. `history`: earlier values of the target, and rows that only one of the two scenarios has, for models that use past values. `overrides`: values that people replaced or moved, in one of the two scenarios or both. `unexplained`: the remainder.",
      ),
    feature: z.string().nullable().describe("Name of the input feature. `null` for other kinds."),
    projectId: Id.nullable().describe(
      "ID of the upstream project that predicts the feature. `null` unless `kind` is `upstream`.",
    ),
    component: z
      .enum(["level", "season"])
      .optional()
      .describe(
        "For `history` and models that separate them: the effect on level and trend, or on the season. Absent otherwise.",
      ),
    total: z.number().describe("Sum over all shared rows from `from` to `to`."),
    values: Values.describe("Value at each point."),
  })
  .meta({ id: "DifferencePart" });
export type DifferencePart = z.infer<typeof DifferencePart>;

const DifferenceGroup = z
  .object({
    values: z
      .record(z.string(), z.string())
      .describe("Value of each column in `by`. An empty text is a missing value."),
    seriesCount: z.number().int().describe("Number of series in the group."),
    commonRows: z.number().int().describe("Number of the group's rows that both scenarios have."),
    baselineTotal: z.number().describe("Sum of the baseline's predictions over these rows."),
    scenarioTotal: z.number().describe("Sum of the scenario's predictions over these rows."),
    totalDifference: z.number().describe("Difference of the group: the sum of its parts."),
    parts: z
      .array(DifferencePart.omit({ values: true }))
      .describe("Parts of the group's difference, largest first. Without parts that are 0."),
  })
  .meta({ id: "DifferenceGroup" });

export const Difference = z
  .object({
    scenarioId: ComparedId.describe("ID of the scenario. With `@` and the ID of the run if `run` is set."),
    baselineId: ComparedId.describe("Baseline scenario, as `baselineId` names it."),
    method: z
      .enum(["exact", "sampled", "none"])
      .describe(
        "Method of the split. `exact`: Shapley values. `sampled`: an estimate of them with the same exact sum. `none`: the scenario has too many rows for a model that uses past values of the target.",
      ),
    scale: z
      .enum(["prediction", "log_odds"])
      .optional()
      .describe(
        "Scale of all totals, parts and differences. `log_odds` for probabilities of classes: sums of log(p / (1 - p)). Defaults to `prediction`.",
      ),
    commonRows: z.number().int().describe("Number of rows from `from` to `to` that both scenarios have."),
    splitRows: z
      .number()
      .int()
      .describe("Number of rows that were split into parts. Totals are scaled up from these rows."),
    onlyInScenario: z
      .number()
      .int()
      .describe("Number of rows that only the scenario has. No part includes them."),
    onlyInBaseline: z
      .number()
      .int()
      .describe("Number of rows that only the baseline has. No part includes them."),
    baselineTotal: z.number().describe("Sum of the baseline's predictions over the shared rows."),
    scenarioTotal: z.number().describe("Sum of the scenario's predictions over the shared rows."),
    totalDifference: z.number().describe("Total difference: the sum of the totals of all parts."),
    ...differenceFields,
    parts: z.array(DifferencePart).describe("Parts of the difference, largest first."),
    ...pointPlaces("one of the scenarios"),
    differences: Values.describe("Difference at each point: the sum of the parts."),
    groups: z
      .array(DifferenceGroup)
      .optional()
      .describe(
        "Groups of series, in descending order of absolute difference. Present if requested by `by`. The groups and their parts add up to those of the total.",
      ),
  })
  .meta({ id: "Difference" });
export type Difference = z.infer<typeof Difference>;

export const Explanation = Difference.omit({
  scenarioId: true,
  baselineId: true,
  totalDifferenceInterval: true,
  differsAtLevel: true,
  groups: true,
}).meta({
  id: "Explanation",
  description: "Causes of the difference between a preview and its scenario, the baseline.",
});
export type Explanation = z.infer<typeof Explanation>;
