import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ForgotPasswordForm } from "#components/users/forgot-password-form.tsx";
import { passwordMail } from "#lib/domain/users/password-links";

export const metadata: Metadata = { title: "Forgot password" };

export default function ForgotPasswordPage() {
  if (passwordMail() === null) notFound();
  return (
    <>
      <h1 className="text-lg font-semibold tracking-tight">Forgot password</h1>
      <p className="mt-1 mb-6 text-[13px] text-ink-faint">You get a mail with a link to choose a new one.</p>
      <ForgotPasswordForm />
    </>
  );
}
