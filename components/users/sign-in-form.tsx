"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import type { ErrorBody } from "#lib/contract/common";
import { counted } from "#lib/contract/counted";
import { Credentials } from "#lib/contract/sign-in";

/** Returns null on success, or the error message; replaces messages written for programs. */
export async function signIn(body: Credentials): Promise<string | null> {
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
  const isInteractive = useIsInteractive();
  const submit = form.handleSubmit(async (values) => {
    const issue = await signIn(values);
    if (issue) form.setError("root", { message: issue });
    else location.assign(next);
  });
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" autoFocus />
      <TextField
        form={form}
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
      />
      <Button
        type="submit"
        look="primary"
        className="w-full"
        busy={isSubmitting || (isSubmitSuccessful && !errors.root)}
        disabled={!isInteractive}
      >
        Sign in
      </Button>
    </form>
  );
}
