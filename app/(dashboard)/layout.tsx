import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ViewerProvider } from "#components/api/viewer.tsx";
import { database } from "#db/client";
import { sessionUser } from "#lib/domain/users/sessions";
import { needsSetup } from "#lib/users/needs-setup";

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
