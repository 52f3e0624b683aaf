import type { Metadata } from "next";
import { DataPage } from "#components/data/data-page.tsx";

export const metadata: Metadata = { title: "Data" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <DataPage projectId={(await params).projectId} />;
}
