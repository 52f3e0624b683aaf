import type { Metadata } from "next";
import { ScenarioPage } from "#components/scenarios/scenario-page.tsx";

export const metadata: Metadata = { title: "Scenario" };

export default async function Page({
  params,
}: {
  params: Promise<{ projectId: string; scenarioId: string }>;
}) {
  const { projectId, scenarioId } = await params;
  return <ScenarioPage projectId={projectId} scenarioId={scenarioId} />;
}
