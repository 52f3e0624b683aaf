import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import type { OutputOption } from "#lib/contract/import-model";
import { optionName } from "./option-name.ts";

export const importFields = [
  "modelName",
  "target",
  "targetMetric",
  "inputs",
  "output",
  "outputColumn",
] as const;
export type ImportValues = Record<(typeof importFields)[number], string>;

/** Fields for the prediction's place in the model's outputs: a list of the options if the service named them. */
export function ImportOutput({
  form: { register, formState, setValue, watch },
  options,
}: {
  form: UseFormReturn<ImportValues>;
  options: readonly OutputOption[] | null;
}) {
  const { errors } = formState;
  if (options) {
    const chosen = options.findIndex(
      ({ output, outputColumn }) =>
        output === watch("output") && String(outputColumn ?? "") === watch("outputColumn"),
    );
    const choose = (index: number) => {
      setValue("output", options[index]?.output ?? "");
      setValue("outputColumn", String(options[index]?.outputColumn ?? ""));
    };
    return (
      <Field label="Prediction" help="Then import again">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => choose(Number(event.target.value))}>
            <option value={-1}>Choose an output</option>
            {options.map((option, index) => (
              <option key={`${option.output} ${option.outputColumn}`} value={index}>
                {optionName(option)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    );
  }
  return (
    <>
      <Field
        label="Output"
        optional
        error={errors.output?.message}
        help="Default: probabilities, otherwise labels"
      >
        {(control) => <Input {...control} {...register("output")} />}
      </Field>
      <Field
        label="Output column"
        optional
        error={errors.outputColumn?.message}
        help="Index of the predicted class, from 0. Default: the second of two"
      >
        {(control) => <Input {...control} inputMode="numeric" {...register("outputColumn")} />}
      </Field>
    </>
  );
}
