import { type UseFormReturn, useWatch } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { stepsText } from "#lib/contract/duration-text";
import type { TrainModel } from "#lib/contract/train-model";
import { numberOrUnset } from "./train-settings.ts";

/** Field for the forecast horizon. Model selection, evaluation and interval calibration use this horizon. */
export function HorizonField({ form, frequency }: { form: UseFormReturn<TrainModel>; frequency: string }) {
  const horizon = useWatch({ control: form.control, name: "horizon" });
  const steps = Number(horizon);
  const span = Number.isInteger(steps) && steps > 0 ? `${stepsText(steps, frequency)} ahead` : "";
  return (
    <Field
      label="Forecast horizon in steps"
      help={[span, "the model is selected for this horizon"].filter(Boolean).join("; ")}
      error={form.formState.errors.horizon?.message}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          className="sm:max-w-60"
          {...form.register("horizon", { setValueAs: numberOrUnset })}
        />
      )}
    </Field>
  );
}
