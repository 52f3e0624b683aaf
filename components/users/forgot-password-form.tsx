"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { PasswordResetRequest } from "#lib/contract/sign-in";
import { postSignIn } from "./post-sign-in.ts";

/** Requests a mail with a link to choose a new password. */
export function ForgotPasswordForm() {
  const form = useForm({ resolver: zodResolver(PasswordResetRequest), defaultValues: { email: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const isInteractive = useIsInteractive();
  const submit = form.handleSubmit(async (values) => {
    const issue = await postSignIn("request-password-reset", values);
    if (issue) form.setError("root", { message: issue });
  });
  if (isSubmitSuccessful && !errors.root) {
    return (
      <div className="space-y-4">
        <p role="status" className="text-[13px]">
          If a member has the address <strong>{form.getValues("email")}</strong>, a mail with a link is on its
          way. The link is valid for an hour.
        </p>
        <ButtonLink href="/login" className="w-full">
          Back to sign-in
        </ButtonLink>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" autoFocus />
      <Button type="submit" look="primary" className="w-full" busy={isSubmitting} disabled={!isInteractive}>
        Send link
      </Button>
      <ButtonLink href="/login" look="quiet" className="w-full">
        Back to sign-in
      </ButtonLink>
    </form>
  );
}
