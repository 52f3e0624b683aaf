import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ChoosePasswordForm } from "#components/users/choose-password-form.tsx";
import { passwordMail } from "#lib/domain/users/password-links";

export const metadata: Metadata = { title: "Choose a password" };

export default function NewPasswordPage() {
  if (passwordMail() === null) notFound();
  return (
    <>
      <h1 className="text-lg font-semibold tracking-tight">Choose a password</h1>
      <p className="mt-1 mb-6 text-[13px] text-ink-faint">It ends your sessions on all devices.</p>
      <ChoosePasswordForm />
    </>
  );
}
