import { z } from "zod";
import { optional } from "./common.ts";
import { ColumnName } from "./datasets.ts";
import { holidayCountries } from "./holiday-countries.ts";
import { contradictions, Hyperparameters, TrainAlgorithm } from "./hyperparameters.ts";
import { TargetMetric } from "./models.ts";
import { shownValue } from "./shown-value.ts";

const Steps = z.number().int().min(1).max(10_000);

export const TrainModel = z
  .strictObject({
    algorithm: optional(TrainAlgorithm).meta({
      description:
        "Algorithm to train. `auto`, the default, keeps the algorithm with the best back-test result. `seasonal_naive` repeats the last season or the last value. `drift` extends the last value at half of its mean growth. `ets`, `theta`, `arima` and `stl_ets` are exponential smoothing, Theta, seasonal ARIMA, and exponential smoothing after STL; `tsb` is for demand with many zeros. `combination` is the median of their forecasts. All of these require a regular timestamp. With inputs, `ets` to `combination` forecast the target minus a regression on the inputs. `mean` predicts the mean.",
    }),
    task: optional(z.enum(["regression", "classification"])).meta({
      description:
        "Task of the model. Defaults to `classification` for a target of booleans or of two texts, otherwise to `regression`. Send `classification` for a target of the numbers 0 and 1.",
    }),
    targetMetric: optional(TargetMetric).meta({
      description:
        "Metric that decides which model is kept. For a target of numbers: `rmse`, the default, `mae`, `mape` or `r2`. For two classes: `logLoss`, the default, `brier`, `auc` or `accuracy`.",
    }),
    features: optional(
      z.strictObject({
        lags: optional(z.array(Steps).max(50)).meta({
          description: "Lags of the target, in steps. For data with a timestamp.",
        }),
        rolling: optional(
          z
            .array(
              z.strictObject({
                window: z
                  .number()
                  .int()
                  .min(2)
                  .max(10_000)
                  .meta({ description: "Number of steps in the window." }),
                shift: Steps.meta({
                  description: "Number of steps before the predicted row at which the window ends.",
                }),
                statistic: z
                  .enum(["mean", "min", "max", "std"])
                  .meta({ description: "Statistic over the window." }),
              }),
            )
            .max(50),
        ).meta({ description: "Statistics of the target over a moving window." }),
        calendar: optional(z.boolean()).meta({
          description:
            "Whether to use calendar features such as hour, weekday and month. Defaults to `true`.",
        }),
        inputs: optional(z.boolean()).meta({
          description:
            "Whether the model uses the input columns. `true` excludes series methods that ignore them, so scenarios always respond to inputs. `false` forecasts from the calendar and the past of the target. By default the back-tests decide.",
        }),
        differences: optional(
          z
            .array(
              z.strictObject({
                shift: Steps.meta({ description: "Number of steps back at which the difference ends." }),
                span: Steps.meta({ description: "Number of steps over which the difference is taken." }),
              }),
            )
            .max(50),
        ).meta({ description: "Differences of the target over a number of steps." }),
        combinations: optional(
          z
            .array(
              z.strictObject({
                operation: z.enum(["ratio", "difference"]).meta({
                  description: "Operation on the two columns. A ratio with a divisor of 0 is missing.",
                }),
                feature: ColumnName.meta({ description: "Name of a numeric input column." }),
                other: ColumnName.meta({
                  description: "Name of the second column: the divisor or the subtrahend.",
                }),
              }),
            )
            .max(50),
        ).meta({ description: "Ratios and differences of two inputs." }),
        holidays: optional(
          z.strictObject({
            country: z
              .enum(holidayCountries, {
                error: ({ input }) =>
                  `No holidays are known for country "${shownValue(input)}". Use a two-letter ISO 3166 code such as US`,
              })
              .meta({ description: "ISO 3166 code of the country, such as `US`.", examples: ["US"] }),
            region: optional(z.string().min(1).max(20)).meta({
              description:
                "Code of a state or province, such as `WA`. Defaults to the holidays of the whole country.",
            }),
          }),
        ).meta({
          description: "Public holidays, and the days until and since a holiday. For data with a timestamp.",
        }),
        impute: optional(z.enum(["mean", "median"])).meta({
          description:
            "Replacement of missing numbers. By default, trees handle missing values themselves and linear models use the median.",
        }),
      }),
    ).meta({ description: "Features that the model may use in addition to the columns." }),
    validation: optional(
      z.strictObject({
        fraction: optional(z.number().min(0.05).max(0.5)).meta({
          description: "Share of the rows used for validation. Defaults to 0.2.",
        }),
        order: optional(z.enum(["time", "random"])).meta({
          description:
            "Split of rows without a timestamp. `time`: the last rows of the file are validation rows. `random`: validation rows are drawn with the seed. Defaults to `time` if neighbouring rows are similar.",
        }),
      }),
    ).meta({
      description:
        "Validation rows, which measure the training procedure. With a timestamp, the latest rows. The model is then fitted on all rows.",
    }),
    horizon: optional(Steps).meta({
      description:
        "Number of steps ahead to forecast. The model is chosen, validated and calibrated over this horizon. Defaults to a day of minutes, a week of hours, 28 days, 13 weeks, 12 months, 8 quarters or 4 years, limited to the validation rows.",
    }),
    hyperparameters: optional(Hyperparameters).meta({
      description: "Settings of the algorithms. Each setting has a default.",
    }),
    seed: optional(z.number().int().min(0).max(2_147_483_647)).meta({
      description: "Seed of the random numbers. The same seed on the same data gives the same model.",
    }),
  })
  .superRefine((request, ctx) => {
    for (const { field, message } of contradictions(request)) {
      ctx.addIssue({ code: "custom", path: field.split("."), message });
    }
  });
export type TrainModel = z.infer<typeof TrainModel>;
