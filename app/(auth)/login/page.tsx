import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { FormError } from "#components/form/server-errors.tsx";
import { CompanySignIn, companySignInError } from "#components/users/company-sign-in.tsx";
import { SignInForm } from "#components/users/sign-in-form.tsx";
import { localPath } from "#lib/contract/local-path";
import { needsSetup } from "#lib/domain/users/members";
import { passwordMail } from "#lib/domain/users/password-links";
import { sessionUser } from "#lib/domain/users/sessions";
import { environment } from "#lib/platform/config/environment";
import { database } from "#lib/platform/database/process-database";

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  if (await needsSetup(database())) redirect("/setup");
  const { next, error } = await searchParams;
  const target = localPath(next, "/projects");
  if (await sessionUser(await headers())) redirect(target);
  const { oidc, passwordSignIn } = environment();
  return (
    <div className="space-y-4">
      <h1 className="mb-6 text-lg font-semibold tracking-tight">Sign in</h1>
      {oidc && <FormError message={companySignInError(error)} />}
      {oidc && <CompanySignIn name={oidc.name} next={target} />}
      {oidc && passwordSignIn && <p className="text-center text-[13px] text-ink-soft">or with a password</p>}
      {passwordSignIn && <SignInForm next={target} resetsPassword={passwordMail() !== null} />}
    </div>
  );
}
