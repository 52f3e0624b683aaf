"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import type { ErrorBody } from "#lib/contract/common";
import { counted } from "#lib/contract/counted";
import { Credentials } from "#lib/contract/sign-in";

/** Returns null on success, or the error message; replaces messages written for programs. */
async function signIn(body: Credentials): Promise<string | null> {
  const response = await fetch("/api/auth/sign-in/email", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response?.ok) return null;
  if (response?.status === 429) {
    const minutes = Math.max(1, Math.ceil(Number(response.headers.get("retry-after")) / 60));
    return `Too many attempts. Try again in ${counted(minutes, "minute")}.`;
  }
  const answer = (await response?.json().catch(() => null)) as ErrorBody | null | undefined;
  return answer?.error?.message ?? "The service did not respond. Try again in a moment.";
}

export function SignInForm({ next }: { next: string }) {
  const form = useForm({ resolver: zodResolver(Credentials), defaultValues: { email: "", password: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const issue = await signIn(values);
    if (issue) form.setError("root", { message: issue });
    else location.assign(next);
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} type="email" autoComplete="username" {...form.register("email")} />}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            {...form.register("password")}
          />
        )}
      </Field>
      <Button
        type="submit"
        look="primary"
        className="w-full"
        busy={isSubmitting || (isSubmitSuccessful && !errors.root)}
      >
        Sign in
      </Button>
    </form>
  );
}
