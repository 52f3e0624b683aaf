"use client";

import { useViewer } from "#components/api/viewer.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

export function AccountPage() {
  const { name, email, role } = useViewer();
  return (
    <>
      <PageHeader title="Account" description={`${name} · ${email} · ${role}`} />
      <div className="space-y-6">
        <PasswordCard />
        <SessionsCard />
      </div>
    </>
  );
}
