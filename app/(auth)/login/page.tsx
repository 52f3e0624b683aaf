import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { localPath } from "#components/users/local-path.ts";
import { SignInForm } from "#components/users/sign-in-form.tsx";
import { needsSetup } from "#lib/domain/users/members";
import { sessionUser } from "#lib/domain/users/sessions";
import { database } from "#lib/platform/database/process-database";

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  if (await needsSetup(database())) redirect("/setup");
  const { next } = await searchParams;
  const target = localPath(next, "/projects");
  if (await sessionUser(await headers())) redirect(target);
  return (
    <>
      <h1 className="mb-6 text-lg font-semibold tracking-tight">Sign in</h1>
      <SignInForm next={target} />
    </>
  );
}
