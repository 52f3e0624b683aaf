import type { ComponentProps } from "react";
import type { FieldValues, Path, RegisterOptions, UseFormReturn } from "react-hook-form";
import { Input, Textarea } from "#components/ui/input.tsx";
import { Field } from "./field.tsx";

type TextFieldProps<Values extends FieldValues> = Omit<ComponentProps<"input">, "form" | "name"> & {
  // biome-ignore lint/suspicious/noExplicitAny: a field does not depend on the form's context and valid values
  form: Pick<UseFormReturn<Values, any, any>, "register" | "getFieldState" | "formState">;
  name: Path<Values>;
  label: string;
  help?: string | undefined;
  optional?: boolean;
  /** Replaces the field's own error. */
  error?: string | undefined;
  rules?: RegisterOptions<Values, Path<Values>>;
  /** Height in rows of a field for several lines. */
  rows?: number;
};

/** Text field of a form: a label, a control with several lines if `rows` is given, a hint and an error. */
export function TextField<Values extends FieldValues>({
  form,
  name,
  label,
  help,
  optional = false,
  error = form.getFieldState(name, form.formState).error?.message,
  rules,
  rows,
  ...input
}: TextFieldProps<Values>) {
  const registered = form.register(name, rules);
  return (
    <Field {...{ label, help, optional, error }}>
      {rows === undefined ? (
        <Input {...input} {...registered} />
      ) : (
        <Textarea rows={rows} disabled={input.disabled} {...registered} />
      )}
    </Field>
  );
}
