import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ViewerProvider } from "#components/layout/viewer";
import { database } from "#db/client";
import { needsSetup } from "#lib/users/needs-setup";
import { sessionUser } from "#lib/users/session-user";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const head = await headers();
  const viewer = await sessionUser(head);
  if (!viewer) {
    if (await needsSetup(database())) redirect("/setup");
    const here = head.get("x-requested-path");
    redirect(here ? `/login?next=${encodeURIComponent(here)}` : "/login");
  }
  return <ViewerProvider viewer={viewer}>{children}</ViewerProvider>;
}
