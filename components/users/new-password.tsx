import type { ComponentProps } from "react";
import { TextField } from "#components/form/text-field.tsx";

type Form = ComponentProps<typeof TextField<{ password: string }>>["form"];

/** Field for the password of a new or changed account. */
export function NewPassword({ form }: { form: Form }) {
  return (
    <TextField
      form={form}
      name="password"
      label="Password"
      type="password"
      help="At least 10 characters"
      autoComplete="new-password"
    />
  );
}
