import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SetupForm } from "#components/users/setup-form.tsx";
import { needsSetup } from "#lib/domain/users/members";
import { database } from "#lib/platform/database/process-database";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage() {
  if (!(await needsSetup(database()))) redirect("/login");
  return (
    <>
      <h1 className="text-lg font-semibold tracking-tight">Welcome</h1>
      <p className="mt-1 mb-6 text-[13px] text-ink-faint">
        Create the first admin. Admins invite members, create API keys and set up projects.
      </p>
      <SetupForm />
    </>
  );
}
