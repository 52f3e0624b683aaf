import { z } from "zod";

export const ContributionKind = z.enum(["input", "calendar", "level", "season", "past"]);
export type ContributionKind = z.infer<typeof ContributionKind>;

export const ContributionKinds = z.array(ContributionKind).optional().meta({
  description:
    "Kind of each contribution, in the order of `features`. `input`: values of the feature. `calendar`: calendar and holidays of the timestamp. `level`, `season`: level with trend, and season, of the series. `past`: earlier values of the target. A feature is listed once per kind.",
});
