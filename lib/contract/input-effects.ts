import { z } from "zod";

/** Effect that a model learned of one input. */
export const InputEffect = z
  .object({
    feature: z.string().describe("Name of the numeric input."),
    change: z
      .object({
        operation: z
          .enum(["add", "multiply", "set"])
          .describe("`add` and `multiply` change the value in all rows. `set` compares the value with 0."),
        value: z.number().describe("Operand of the change."),
      })
      .describe("Change of the input whose effect is stated."),
    unit: z
      .enum(["target", "percent"])
      .describe("Unit of the effect: that of the target, per row, or per cent of the predictions."),
    effect: z.number().describe("Mean change of the predictions of the latest rows, other inputs unchanged."),
    lower: z.number().nullable().describe("Lower bound of the effect at 90%. `null` if not known."),
    upper: z.number().nullable().describe("Upper bound of the effect at 90%. `null` if not known."),
    correlation: z
      .number()
      .nullable()
      .describe("Plain correlation of the input with the target, from -1 to 1. `null` if not defined."),
    expected: z
      .enum(["increasing", "decreasing"])
      .nullable()
      .describe("Sign in `expectedEffects` of the request. `null` without one."),
    warning: z
      .enum(["uncertain_sign", "contradicts_expected"])
      .nullable()
      .describe(
        "`uncertain_sign`: the interval contains 0. `contradicts_expected`: the data show no effect of the expected sign.",
      ),
  })
  .meta({ id: "InputEffect" });
export type InputEffect = z.infer<typeof InputEffect>;
