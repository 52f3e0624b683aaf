import { type UseFormReturn, useWatch } from "react-hook-form";
import { TextField } from "#components/form/text-field.tsx";
import { stepsText } from "#lib/contract/duration-text";
import type { TrainModel } from "#lib/contract/train-model";
import { numberOrUnset } from "./train-settings.ts";

/** Field for the forecast horizon. Model selection, evaluation and interval calibration use this horizon. */
export function HorizonField({ form, frequency }: { form: UseFormReturn<TrainModel>; frequency: string }) {
  const horizon = useWatch({ control: form.control, name: "horizon" });
  const steps = Number(horizon);
  const span = Number.isInteger(steps) && steps > 0 ? `${stepsText(steps, frequency)} ahead` : "";
  return (
    <TextField
      form={form}
      name="horizon"
      label="Forecast horizon in steps"
      help={[span, "the model is selected for this horizon"].filter(Boolean).join("; ")}
      inputMode="numeric"
      className="sm:max-w-60"
      rules={{ setValueAs: numberOrUnset }}
    />
  );
}
