import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import type { TrainModel } from "#lib/contract/train-model";
import { choiceOrUnset, directionsOrUnset, numberOrUnset } from "./train-settings.ts";

/** What boosting makes small, and which ways its predictions may go. */
export function LossFields({ form }: { form: UseFormReturn<TrainModel> }) {
  const faults = form.formState.errors.hyperparameters;
  const isQuantile = form.watch("hyperparameters.loss") === "quantile";
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      <Field label="Loss" help="What is made small" error={faults?.loss?.message}>
        {(control) => (
          <Select {...control} {...form.register("hyperparameters.loss", { setValueAs: choiceOrUnset })}>
            <option value="">Squared errors: predicts the mean</option>
            <option value="absolute">Absolute errors: the median</option>
            <option value="quantile">Of a quantile</option>
            <option value="poisson">Poisson: counts, never below 0</option>
          </Select>
        )}
      </Field>
      {isQuantile && (
        <Field
          label="Quantile"
          help="Part of the rows below the prediction"
          error={faults?.quantile?.message}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              placeholder="0.9"
              {...form.register("hyperparameters.quantile", {
                setValueAs: numberOrUnset,
                shouldUnregister: true,
              })}
            />
          )}
        </Field>
      )}
      <Field
        label="Directions"
        help="Such as price: decreasing, temp: increasing"
        error={directionFault(faults?.monotone)}
      >
        {(control) => (
          <Input
            {...control}
            placeholder="any"
            {...form.register("hyperparameters.monotone", { setValueAs: directionsOrUnset })}
          />
        )}
      </Field>
    </div>
  );
}

function directionFault(fault: unknown): string | undefined {
  if (typeof fault !== "object" || fault === null) return undefined;
  if ("message" in fault && typeof fault.message === "string") return fault.message;
  const [column] = Object.keys(fault);
  return column === undefined ? undefined : `"${column}" needs a direction: increasing or decreasing`;
}
