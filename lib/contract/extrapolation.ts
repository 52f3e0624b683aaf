import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { Warning } from "./datasets.ts";
import { limits } from "./limits.ts";
import { list } from "./scenario-series.ts";

const feature = z.string().meta({ description: "Input feature" });
const instant = (description: string) => Instant.nullable().meta({ description });

export const Extrapolation = z
  .object({
    rowCount: z.number().int().meta({ description: "Rows in all" }),
    features: z
      .array(
        z.object({
          feature,
          rows: z.number().int().meta({ description: "Rows that are outside" }),
          firstRow: z.number().int().meta({ description: "The first of them, from 1" }),
          firstTimestamp: instant("Its time; null for rows without"),
          range: Warning.shape.range
            .unwrap()
            .nullable()
            .meta({ description: "Of numbers: what the input has, and what the training rows had" }),
          unseen: z
            .array(z.string())
            .nullable()
            .meta({ description: "Of categories: values that the training rows did not have, at most 100" }),
        }),
      )
      .meta({ description: "Features that are outside of the training rows somewhere" }),
    spans: z
      .array(
        z.object({
          firstRow: z.number().int().meta({ description: "Its first row, from 1" }),
          lastRow: z.number().int().meta({ description: "Its last row, included" }),
          from: instant("Time of its first row; null for rows without"),
          to: instant("Time of its last row; null for rows without"),
          features: z.array(z.string()).meta({ description: "Features that are outside in it" }),
        }),
      )
      .meta({
        description:
          "Stretches in which some feature is outside, in the order of time; at most 200, those with the smallest gaps between them joined",
      }),
  })
  .meta({ id: "Extrapolation", description: "Where a model is used outside of what it was trained on" });
export type Extrapolation = z.infer<typeof Extrapolation>;

export const ExtrapolationsQuery = z.object({
  ids: list
    .pipe(z.array(z.string()).min(1).max(limits.compareMax))
    .meta({ description: "Scenarios, at most 20, with commas between them" }),
});

export const Extrapolations = z
  .object({
    scenarios: z
      .array(Extrapolation.extend({ scenarioId: Id.meta({ description: "Whose input this is about" }) }))
      .meta({ description: "In the order in which they were named" }),
  })
  .meta({ id: "Extrapolations", description: "Extrapolation of several scenarios" });
export type Extrapolations = z.infer<typeof Extrapolations>;
