import type { Metadata } from "next";
import { ScenarioTable } from "#components/scenarios/scenario-table";

export const metadata: Metadata = { title: "Scenarios" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  return <ScenarioTable projectId={(await params).projectId} />;
}
