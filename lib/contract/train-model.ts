import { z } from "zod";
import { algorithmNames, algorithms, listNames } from "./algorithms.ts";
import { optional } from "./common.ts";
import { ColumnName } from "./datasets.ts";
import { holidayCountries } from "./holiday-countries.ts";
import { contradictions, Directions, Hyperparameters, TrainAlgorithm } from "./hyperparameters.ts";
import { TargetMetric } from "./models.ts";
import { shownValue } from "./shown-value.ts";

const sentences = algorithmNames()
  .map((name) => `\`${name}\` ${algorithms[name].description}.`)
  .join(" ");

const Steps = z.number().int().min(1).max(10_000);

export const TrainModel = z
  .strictObject({
    algorithm: optional(TrainAlgorithm).describe(
      `Algorithm to train. \`auto\`, the default, trains \`combination\` for a series without inputs, and otherwise keeps the algorithm with the best back-test result. ${sentences} ${listNames(algorithmNames("naive", "series"))} require a regular timestamp. With inputs, ${listNames(algorithmNames("series"))} forecast the target minus a regression on the inputs; those that ignore inputs forecast the target itself.`,
    ),
    task: optional(z.enum(["regression", "classification"])).describe(
      "Task of the model. Defaults to `classification` for a target of booleans or of two texts, otherwise to `regression`. Send `classification` for a target of the numbers 0 and 1.",
    ),
    targetMetric: optional(TargetMetric).describe(
      "Metric that decides which model is kept. For a target of numbers: `rmse`, the default, `mae`, `mape` or `r2`. With `mae` and `mape`, models of logarithms predict medians, otherwise means. For two classes: `logLoss`, the default, `brier`, `auc` or `accuracy`.",
    ),
    features: optional(
      z.strictObject({
        lags: optional(z.array(Steps).max(50)).describe(
          "Lags of the target, in steps. For data with a timestamp.",
        ),
        rolling: optional(
          z
            .array(
              z.strictObject({
                window: z.number().int().min(2).max(10_000).describe("Number of steps in the window."),
                shift: Steps.describe("Number of steps before the predicted row at which the window ends."),
                statistic: z.enum(["mean", "min", "max", "std"]).describe("Statistic over the window."),
              }),
            )
            .max(50),
        ).describe("Statistics of the target over a moving window."),
        calendar: optional(z.boolean()).describe(
          "Whether to use calendar features such as hour, weekday and month. Defaults to `true`.",
        ),
        inputs: optional(z.boolean()).describe(
          "Whether the model uses the input columns. `true` excludes series methods that ignore them, so scenarios always respond to inputs. `false` forecasts from the calendar and the past of the target. By default the back-tests decide.",
        ),
        inputLags: optional(
          z.strictObject({
            steps: z.number().int().min(0).max(30).describe("Number of earlier rows, one step apart each."),
            decay: optional(z.number().positive().max(0.95)).describe(
              "Factor by which the weight falls with each step back, for a mean of all values up to the row.",
            ),
          }),
        ).describe(
          'Earlier values of each numeric input that series methods such as `combination` read beside the row\'s own, because an effect may come later or last. `{ "steps": 0 }` reads none. By default the back-tests decide.',
        ),
        differences: optional(
          z
            .array(
              z.strictObject({
                shift: Steps.describe("Number of steps back at which the difference ends."),
                span: Steps.describe("Number of steps over which the difference is taken."),
              }),
            )
            .max(50),
        ).describe("Differences of the target over a number of steps."),
        combinations: optional(
          z
            .array(
              z.strictObject({
                operation: z
                  .enum(["ratio", "difference"])
                  .describe("Operation on the two columns. A ratio with a divisor of 0 is missing."),
                feature: ColumnName.describe("Name of a numeric input column."),
                other: ColumnName.describe("Name of the second column: the divisor or the subtrahend."),
              }),
            )
            .max(50),
        ).describe("Ratios and differences of two inputs."),
        holidays: optional(
          z.strictObject({
            country: z
              .enum(holidayCountries, {
                error: ({ input }) =>
                  `No holidays are known for country "${shownValue(input)}". Use a two-letter ISO 3166 code such as US`,
              })
              .meta({ description: "ISO 3166 code of the country, such as `US`.", examples: ["US"] }),
            region: optional(z.string().min(1).max(20)).describe(
              "Code of a state or province, such as `WA`. Defaults to the holidays of the whole country.",
            ),
          }),
        ).describe("Public holidays, and the days until and since a holiday. For data with a timestamp."),
        impute: optional(z.enum(["mean", "median"])).describe(
          "Replacement of missing numbers. By default, trees handle missing values themselves and linear models use the median.",
        ),
      }),
    ).describe("Features that the model may use in addition to the columns."),
    validation: optional(
      z.strictObject({
        fraction: optional(z.number().min(0.05).max(0.5)).describe(
          "Share of the rows used for validation. Defaults to 0.2.",
        ),
        order: optional(z.enum(["time", "random"])).describe(
          "Split of rows without a timestamp. `time`: the last rows of the file are validation rows. `random`: validation rows are drawn with the seed. Defaults to `time` if neighbouring rows are similar.",
        ),
      }),
    ).describe(
      "Validation rows, which measure the training procedure. With a timestamp, the latest rows. The model is then fitted on all rows.",
    ),
    outliers: optional(z.enum(["ignore", "keep"])).describe(
      "Treatment of values that contradict all others of a series, and with inputs what these explain, such as a typing error or six months of closure. `ignore`, the default, treats them as missing, and the model has the warning `ignored_values`, which names them. `keep` learns from them.",
    ),
    horizon: optional(Steps).describe(
      "Number of steps ahead to forecast. The model is chosen, validated and calibrated over this horizon. Defaults to a day of minutes, a week of hours, 28 days, 13 weeks, 12 months, 8 quarters or 4 years, limited to the validation rows.",
    ),
    expectedEffects: optional(Directions).meta({
      description:
        "Sign of the effect that you expect, by numeric input column: a higher price lowers sales. Linear models and trees keep it, so that no scenario contradicts it. A column with a sign cannot be in `features.combinations`.",
      examples: [{ price: "decreasing" }],
    }),
    hyperparameters: optional(Hyperparameters).describe(
      "Settings of the algorithms. Each setting has a default.",
    ),
    seed: optional(z.number().int().min(0).max(2_147_483_647)).describe(
      "Seed of the random numbers. The same seed on the same data gives the same model.",
    ),
  })
  .superRefine((request, ctx) => {
    for (const { field, message } of contradictions(request)) {
      ctx.addIssue({ code: "custom", path: field.split("."), message });
    }
  });
export type TrainModel = z.infer<typeof TrainModel>;
