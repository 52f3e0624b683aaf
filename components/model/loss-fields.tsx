import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Select } from "#components/ui/input.tsx";
import type { TrainModel } from "#lib/contract/train-model";
import { choiceOrUnset, directionsOrUnset, numberOrUnset } from "./train-settings.ts";

/** Selects the loss of gradient boosting and the monotonic directions of its predictions. */
export function LossFields({
  form,
  isOfClasses,
}: {
  form: UseFormReturn<TrainModel>;
  /** Whether the target has two classes, whose loss is the log loss. */
  isOfClasses: boolean;
}) {
  const issues = form.formState.errors.hyperparameters;
  const isQuantile = form.watch("hyperparameters.loss") === "quantile";
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      {!isOfClasses && (
        <Field label="Loss" help="Error that training minimises" error={issues?.loss?.message}>
          <Select {...form.register("hyperparameters.loss", { setValueAs: choiceOrUnset })}>
            <option value="">Squared error: predicts the mean</option>
            <option value="absolute">Absolute error: predicts the median</option>
            <option value="quantile">Quantile loss: predicts a quantile</option>
            <option value="poisson">Poisson: counts, never below 0</option>
          </Select>
        </Field>
      )}
      {isQuantile && (
        <TextField
          form={form}
          name="hyperparameters.quantile"
          label="Quantile"
          help="Share of rows below the prediction"
          inputMode="decimal"
          placeholder="0.9"
          rules={{ setValueAs: numberOrUnset, shouldUnregister: true }}
        />
      )}
      <TextField
        form={form}
        name="hyperparameters.monotone"
        label="Directions"
        help="Example: price: decreasing, temp: increasing"
        error={directionIssue(issues?.monotone)}
        placeholder="any"
        rules={{ setValueAs: directionsOrUnset }}
      />
    </div>
  );
}

/** Returns the message of the first column with an invalid direction. */
export function directionIssue(issue: unknown): string | undefined {
  if (typeof issue !== "object" || issue === null) return undefined;
  if ("message" in issue && typeof issue.message === "string") return issue.message;
  const [column] = Object.keys(issue);
  return column === undefined ? undefined : `Column "${column}" needs a direction: increasing or decreasing`;
}
