import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ViewerProvider } from "#components/api/viewer.tsx";
import { needsSetup } from "#lib/domain/users/members";
import { sessionUser } from "#lib/domain/users/sessions";
import { environment } from "#lib/platform/config/environment";
import { database } from "#lib/platform/database/process-database";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const head = await headers();
  const found = await sessionUser(head);
  if (!found) {
    if (await needsSetup(database())) redirect("/setup");
    const here = head.get("x-requested-path");
    redirect(here ? `/login?next=${encodeURIComponent(here)}` : "/login");
  }
  const { sessionId: _, ...viewer } = found;
  const { mail, comparisonLinks: sharesComparisons } = environment();
  const hasMail = mail !== null;
  return <ViewerProvider viewer={{ ...viewer, hasMail, sharesComparisons }}>{children}</ViewerProvider>;
}
