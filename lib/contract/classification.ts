import { z } from "zod";

const rows = (description: string) => z.number().int().describe(description);
const share = (description: string) => z.number().describe(description);

const ReliabilityBin = z
  .object({
    rows: rows("Number of rows."),
    predicted: share("Mean predicted probability of the rows."),
    observed: share("Share of the rows that have the second class."),
  })
  .meta({ id: "ReliabilityBin" });
export type ReliabilityBin = z.infer<typeof ReliabilityBin>;

const ThresholdCounts = z
  .object({
    threshold: share("Probability from which a row counts as predicted to have the second class."),
    truePositives: rows("Rows of the second class that are predicted to have it."),
    falsePositives: rows("Rows of the first class that are predicted to have the second."),
    trueNegatives: rows("Rows of the first class that are predicted to have it."),
    falseNegatives: rows("Rows of the second class that are predicted to have the first."),
  })
  .meta({ id: "ThresholdCounts" });
export type ThresholdCounts = z.infer<typeof ThresholdCounts>;

export const ClassNames = z
  .array(z.string())
  .length(2)
  .meta({
    description:
      "Classes of the target in alphabetical order. Predictions are probabilities of the second class.",
    examples: [["no", "yes"]],
  });

/** Evaluation of predicted probabilities on the validation rows. */
export const Classification = z
  .object({
    classes: ClassNames,
    reliability: z
      .array(ReliabilityBin)
      .describe(
        "Validation rows by predicted probability, in bins of width 0.1. Bins without rows are omitted.",
      ),
    thresholds: z
      .array(ThresholdCounts)
      .describe("Validation rows by actual and predicted class, at the thresholds 0.01 to 0.99."),
  })
  .meta({ id: "Classification" });
export type Classification = z.infer<typeof Classification>;
