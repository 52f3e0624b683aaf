"use client";

import type { UseFormReturn } from "react-hook-form";
import { TextField } from "#components/form/text-field.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { CreateCheckpoint } from "#lib/contract/checkpoints";

const rules = { setValueAs: (text: string | null | undefined) => (text?.trim() ? text : undefined) };

/** Fields for the label, description and default status of a new checkpoint. */
export function NewCheckpointFields({
  form,
  labelHelp,
}: {
  form: UseFormReturn<CreateCheckpoint>;
  labelHelp: string;
}) {
  return (
    <>
      <TextField form={form} name="label" label="Label" optional help={labelHelp} rules={rules} />
      <TextField form={form} name="description" label="Description" optional rows={3} rules={rules} />
      <Checkbox {...form.register("setAsDefault")}>
        Make default: used by predictions and new scenarios
      </Checkbox>
    </>
  );
}
