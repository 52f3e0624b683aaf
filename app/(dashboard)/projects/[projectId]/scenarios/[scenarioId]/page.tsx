import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
import { ScenarioPage } from "#components/scenarios/scenario-page.tsx";
import { GET as getScenario } from "../../../../../api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { requireFound } from "../../../../prefetch.tsx";

export const metadata: Metadata = { title: "Scenario" };

export default async function Page({
  params,
}: {
  params: Promise<{ projectId: string; scenarioId: string }>;
}) {
  const { projectId, scenarioId } = await params;
  await requireFound([getScenario, queries.scenario(projectId, scenarioId)], { projectId, scenarioId });
  return <ScenarioPage projectId={projectId} scenarioId={scenarioId} />;
}
