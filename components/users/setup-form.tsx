"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { api } from "#components/api/client.ts";
import { Field } from "#components/form/field.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { FirstAdmin } from "#lib/contract/members";

/** Creates the first admin and signs in. */
export function SetupForm() {
  const form = useForm({
    resolver: zodResolver(FirstAdmin),
    defaultValues: { name: "", email: "", password: "" },
  });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await api.post("/setup", values);
    } catch (error) {
      showServerIssues(error, form.setError, ["name", "email", "password"]);
      return;
    }
    await fetch("/api/auth/sign-in/email", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: values.email, password: values.password }),
    });
    location.assign("/projects");
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <Field label="Name" error={errors.name?.message}>
        {(control) => <Input {...control} autoComplete="name" {...form.register("name")} />}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} type="email" autoComplete="username" {...form.register("email")} />}
      </Field>
      <Field label="Password" error={errors.password?.message} help="At least 10 characters">
        {(control) => (
          <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />
        )}
      </Field>
      <Button type="submit" look="primary" className="w-full" busy={isSubmitting}>
        Create admin
      </Button>
    </form>
  );
}
