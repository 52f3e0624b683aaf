"use client";

import { api } from "#components/api/client.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Button } from "#components/ui/button.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { FirstAdmin } from "#lib/contract/members";
import { NewPassword } from "./new-password.tsx";
import { signIn } from "./sign-in-form.tsx";

/** Creates the first admin and signs in. */
export function SetupForm() {
  const { form, submitWith } = useServerForm(FirstAdmin, { name: "", email: "", password: "" });
  const { errors, isSubmitting } = form.formState;
  const isInteractive = useIsInteractive();
  const submit = submitWith(async (values) => {
    await api.post("/setup", values);
    await signIn({ email: values.email, password: values.password });
    location.assign("/projects");
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <TextField form={form} name="name" label="Name" autoComplete="name" autoFocus />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <NewPassword form={form} />
      <Button type="submit" look="primary" className="w-full" busy={isSubmitting} disabled={!isInteractive}>
        Create admin
      </Button>
    </form>
  );
}
