"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { FormError } from "#components/form/server-errors.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { Password } from "#lib/contract/members";
import { NewPassword } from "./new-password.tsx";
import { postSignIn } from "./post-sign-in.ts";

const incomplete = "The link is incomplete. Open it again from the mail.";

/** Sets the password of the member to whom the link was mailed. The token is the fragment of the page's address. */
export function ChoosePasswordForm() {
  const schema = z.object({ password: Password });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const isInteractive = useIsInteractive();
  const submit = form.handleSubmit(async ({ password: newPassword }) => {
    const token = location.hash.slice(1);
    const issue = token === "" ? incomplete : await postSignIn("reset-password", { token, newPassword });
    if (issue) form.setError("root", { message: issue });
    // The link has been used, so it should not stay in the history.
    else history.replaceState(null, "", location.pathname);
  });
  if (isSubmitSuccessful && !errors.root) {
    return (
      <div className="space-y-4">
        <p role="status" className="text-[13px]">
          Your password is set.
        </p>
        <ButtonLink href="/login" look="primary" className="w-full">
          Sign in
        </ButtonLink>
      </div>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <NewPassword form={form} />
      <Button type="submit" look="primary" className="w-full" busy={isSubmitting} disabled={!isInteractive}>
        Set password
      </Button>
    </form>
  );
}
