import type { Metadata } from "next";
import { AuditLog } from "#components/audit/audit-log.tsx";
import { TopBar } from "#components/layout/top-bar.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default function AuditPage() {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} className="mx-auto max-w-wide px-4 py-8 sm:px-6">
        <PageHeader title="Audit log" description="Actions in this service, with user, time and API key." />
        <AuditLog />
      </main>
    </>
  );
}
