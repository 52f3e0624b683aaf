import type { Metadata } from "next";
import { CheckpointsPage } from "#components/checkpoints/checkpoints-page";

export const metadata: Metadata = { title: "Checkpoints" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <CheckpointsPage projectId={(await params).projectId} />;
}
