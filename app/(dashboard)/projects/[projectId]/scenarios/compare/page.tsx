import type { Metadata } from "next";
import { Compare } from "#components/compare/compare";

export const metadata: Metadata = { title: "Compare" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <Compare projectId={(await params).projectId} />;
}
