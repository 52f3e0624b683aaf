"use client";

import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import type { CreateCheckpoint } from "#lib/contract/checkpoints";

const emptyIsUnset = (text: string | null | undefined) => (text?.trim() ? text : undefined);

/** Fields for the label, description and default status of a new checkpoint. */
export function CheckpointFields({
  register,
  errors,
  labelHelp,
}: {
  register: UseFormRegister<CreateCheckpoint>;
  errors: FieldErrors<CreateCheckpoint>;
  labelHelp: string;
}) {
  return (
    <>
      <Field label="Label" optional error={errors.label?.message} help={labelHelp}>
        {(control) => <Input {...control} {...register("label", { setValueAs: emptyIsUnset })} />}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...register("description", { setValueAs: emptyIsUnset })} />}
      </Field>
      <label className="flex items-center gap-2 text-[13px]">
        <input type="checkbox" className="size-4 accent-accent" {...register("setAsDefault")} />
        Make default: used by predictions and new scenarios
      </label>
    </>
  );
}
