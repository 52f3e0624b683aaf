import type { Metadata } from "next";
import { JobTable } from "#components/jobs/job-table";

export const metadata: Metadata = { title: "Jobs" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <JobTable projectId={(await params).projectId} />;
}
