import type { Metadata } from "next";
import { ModelPage } from "#components/model/model-page.tsx";

export const metadata: Metadata = { title: "Model" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <ModelPage projectId={(await params).projectId} />;
}
