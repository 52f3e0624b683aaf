import { z } from "zod";
import { Instant, optional } from "./common.ts";
import { Project } from "./projects.ts";
import { Comparison } from "./scenario-series.ts";

export const CreateComparisonLink = z.strictObject({
  expiresInDays: optional(z.number().int().min(1).max(365)).describe(
    "Number of days after which the link expires. Defaults to 30.",
  ),
});

export const ComparisonLink = z
  .object({
    expiresAt: Instant.nullable().describe("Time at which the link expires. `null` without a link."),
  })
  .meta({ id: "ComparisonLink" });
export type ComparisonLink = z.infer<typeof ComparisonLink>;

export const NewComparisonLink = z
  .object({
    token: z.string().describe("Token of the link, shown once: open `/shared#<token>`."),
    expiresAt: Instant.describe("Time at which the link expires."),
  })
  .meta({ id: "NewComparisonLink" });
export type NewComparisonLink = z.infer<typeof NewComparisonLink>;

export const OpenSharedComparison = z.strictObject({
  token: z.string().min(1).max(100).describe("Part of the link after `#`."),
});

/** A comparison as somebody without an account sees it. */
export const SharedComparison = z
  .object({
    name: z.string().describe("Name of the saved comparison."),
    expiresAt: Instant.describe("Time at which the link expires."),
    project: Project.pick({
      name: true,
      target: true,
      display: true,
      units: true,
      timezone: true,
      frequency: true,
    }).describe("The project, with the display of the target alone."),
    comparison: Comparison,
  })
  .meta({ id: "SharedComparison" });
export type SharedComparison = z.infer<typeof SharedComparison>;
