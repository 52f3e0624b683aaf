"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { Credentials } from "#lib/contract/sign-in";
import { postSignIn } from "./post-sign-in.ts";

/** Returns null on success, or the error message. */
export const signIn = (body: Credentials) => postSignIn("sign-in/email", body);

export function SignInForm({ next, resetsPassword }: { next: string; resetsPassword: boolean }) {
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
      {resetsPassword && (
        <p className="text-center text-[13px]">
          <Link href="/forgot-password" className="rounded-sm text-accent hover:underline">
            Forgot password?
          </Link>
        </p>
      )}
    </form>
  );
}
