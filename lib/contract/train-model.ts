import { z } from "zod";
import { optional } from "./common.ts";
import { holidayCountries } from "./holiday-countries.ts";
import { contradictions, Hyperparameters, TrainAlgorithm } from "./hyperparameters.ts";
import { TargetMetric } from "./models.ts";

const shortened = (value: unknown) => String(value).slice(0, 40);

export const TrainModel = z
  .strictObject({
    algorithm: optional(TrainAlgorithm).meta({
      description:
        "Algorithm to train. `auto`, the default, keeps the one that does best in back-tests. `seasonal_naive` repeats the last season or the last value, `drift` continues it at half of its mean growth; both need a regular timestamp. `mean` predicts the mean",
    }),
    targetMetric: optional(TargetMetric).meta({
      description: "Decides which model is kept; `rmse` without it",
    }),
    features: optional(
      z.strictObject({
        lags: optional(z.array(z.number().int().min(1).max(10_000)).max(50)).meta({
          description: "The target so many steps before, for data with a timestamp",
        }),
        rolling: optional(
          z
            .array(
              z.strictObject({
                window: z.number().int().min(2).max(10_000).meta({ description: "Steps that it covers" }),
                shift: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps before which it ends" }),
                statistic: z
                  .enum(["mean", "min", "max", "std"])
                  .meta({ description: "What is made of them" }),
              }),
            )
            .max(50),
        ).meta({ description: "Statistics of the target over a moving window" }),
        calendar: optional(z.boolean()).meta({
          description: "Hour, weekday, month and the like; true without it",
        }),
        differences: optional(
          z
            .array(
              z.strictObject({
                shift: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps back at which it ends" }),
                span: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps over which it is taken" }),
              }),
            )
            .max(50),
        ).meta({ description: "How much the target grew over some steps" }),
        combinations: optional(
          z
            .array(
              z.strictObject({
                operation: z
                  .enum(["ratio", "difference"])
                  .meta({ description: "What is made of the two; a ratio over 0 is missing" }),
                feature: z.string().min(1).max(1_000).meta({ description: "An input column with numbers" }),
                other: z.string().min(1).max(1_000).meta({ description: "The one that it is set against" }),
              }),
            )
            .max(50),
        ).meta({ description: "Ratios and differences of two inputs" }),
        holidays: optional(
          z.strictObject({
            country: z
              .enum(holidayCountries, {
                error: ({ input }) =>
                  `No holidays are known of a country "${shortened(input)}": write its code of two letters, such as US`,
              })
              .meta({ description: "Its ISO 3166 code, such as `US`", examples: ["US"] }),
            region: optional(z.string().min(1).max(20)).meta({
              description: "Code of a state or province, such as `WA`; the whole country's without it",
            }),
          }),
        ).meta({ description: "Public holidays, and the days until and since, for data with a timestamp" }),
        impute: optional(z.enum(["mean", "median"])).meta({
          description:
            "What missing numbers become; without it trees take them as missing, linear models the median",
        }),
      }),
    ).meta({ description: "What the model may use besides the columns" }),
    validation: optional(
      z.strictObject({
        fraction: optional(z.number().min(0.05).max(0.5)).meta({
          description: "Fraction of the rows; 0.2 by default",
        }),
        order: optional(z.enum(["time", "random"])).meta({
          description:
            "How rows without a timestamp are split. `time`: the latest rows of the file validate. `random`: rows drawn by the seed. By default `time` where neighbouring rows are alike",
        }),
      }),
    ).meta({
      description:
        "Rows that validate the procedure: with a timestamp the latest ones. The model is then fitted on all rows",
    }),
    horizon: optional(z.number().int().min(1).max(10_000)).meta({
      description:
        "Steps ahead to forecast: the model is chosen, validated and calibrated that far. By default a day of minutes, a week of hours, 28 days, 13 weeks, 12 months, 8 quarters or 4 years, but no more than the validation rows",
    }),
    hyperparameters: optional(Hyperparameters).meta({
      description: "Settings of the algorithms; each has a default",
    }),
    seed: optional(z.number().int().min(0).max(2_147_483_647)).meta({
      description: "The same seed on the same data gives the same model",
    }),
  })
  .superRefine((request, ctx) => {
    for (const { field, message } of contradictions(request)) {
      ctx.addIssue({ code: "custom", path: field.split("."), message });
    }
  });
export type TrainModel = z.infer<typeof TrainModel>;
