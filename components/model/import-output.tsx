import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Select } from "#components/ui/input.tsx";
import type { OutputOption } from "#lib/contract/import-model";
import { optionName } from "./option-name.ts";

export const importFields = [
  "modelName",
  "target",
  "targetMetric",
  "inputs",
  "output",
  "outputColumn",
  "rounds",
] as const;
export type ImportValues = Record<(typeof importFields)[number], string>;

/** Fields for the prediction's place in the model's outputs: a list of the options if the service named them. */
export function ImportOutput({
  form,
  options,
}: {
  form: UseFormReturn<ImportValues>;
  options: readonly OutputOption[] | null;
}) {
  const { setValue, watch } = form;
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
        <Select
          value={chosen}
          onChange={(event) => choose(Number(event.target.value))}
          options={options.map((option, index) => [index, optionName(option)])}
        >
          <option value={-1}>Choose an output</option>
        </Select>
      </Field>
    );
  }
  return (
    <>
      <TextField
        form={form}
        name="output"
        label="Output"
        optional
        help="Default: probabilities, otherwise labels"
      />
      <TextField
        form={form}
        name="outputColumn"
        label="Output column"
        optional
        help="Index of the predicted class, from 0. Default: the second of two"
        inputMode="numeric"
      />
    </>
  );
}
