import type { Metadata } from "next";
import { TrackRecordPage } from "#components/track-record/track-record-page.tsx";

export const metadata: Metadata = { title: "Track record" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <TrackRecordPage projectId={(await params).projectId} />;
}
