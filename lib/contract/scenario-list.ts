import { z } from "zod";
import { Id, ListQuery, repeatable } from "./common.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";
import { ScenarioSource, Tag } from "./scenarios.ts";

export const scenarioSorts = ["createdAt", "title", "rowCount", "mean"] as const;

export const ScenarioListQuery = ListQuery.extend({
  search: z
    .string()
    .normalize("NFC")
    .max(limits.searchMax)
    .optional()
    .describe(
      "Returns only scenarios that contain every word of this text, in any case, in the title, description, notes, tags or file name.",
    ),
  status: repeatable(JobStatus)
    .optional()
    .describe("Returns only scenarios with this status. Can be repeated."),
  source: repeatable(ScenarioSource)
    .optional()
    .describe("Returns only scenarios with this source of input. Can be repeated."),
  checkpointId: repeatable(Id)
    .optional()
    .describe(
      "Returns only scenarios that this checkpoint predicts, not those that use it as an upstream checkpoint. Can be repeated.",
    ),
  tag: repeatable(Tag)
    .optional()
    .describe("Returns only scenarios with this tag. If repeated, with all of these tags."),
  createdBy: repeatable(z.string().max(100))
    .optional()
    .describe("Returns only scenarios that this user created. Can be repeated."),
  archived: z
    .enum(["true", "false"])
    .optional()
    .describe("`true` returns only archived scenarios, `false` only others. By default, returns both."),
  sort: z
    .enum(scenarioSorts)
    .optional()
    .describe(
      "Value to sort by: time of creation (default), title, number of rows, or mean prediction. Scenarios without the value come last.",
    ),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .describe("Ascending or descending order. Defaults to `asc` for titles, else to `desc`."),
});
export type ScenarioListQuery = z.infer<typeof ScenarioListQuery>;

export const TemplateQuery = z.object({
  checkpointId: Id.optional().describe(
    "ID of the checkpoint that the scenario will use. Defaults to the current model.",
  ),
});

export const ScenarioFilters = z
  .object({
    tags: z
      .array(
        z.object({
          tag: z.string().describe("Tag."),
          count: z.number().int().describe("Number of scenarios with the tag."),
        }),
      )
      .describe("Tags of the project's scenarios, most frequent first: at most 200."),
    authors: z
      .array(
        z.object({
          id: z.string().describe("User identifier of the creator."),
          name: z.string().nullable().describe("Name of the creator. `null` for a former member."),
          count: z.number().int().describe("Number of scenarios that the user created."),
        }),
      )
      .describe("Creators of the project's scenarios, most frequent first: at most 200."),
    archived: z.number().int().describe("Number of archived scenarios."),
  })
  .meta({ id: "ScenarioFilters" });
export type ScenarioFilters = z.infer<typeof ScenarioFilters>;
