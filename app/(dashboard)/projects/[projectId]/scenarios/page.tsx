import type { Metadata } from "next";
import { keys } from "#components/api/keys.ts";
import { ScenarioTable } from "#components/scenarios/scenario-table.tsx";
import { GET as listScenarios } from "../../../../api/v1/projects/[projectId]/scenarios/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Scenarios" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  const path = `/projects/${projectId}/scenarios`;
  return (
    <Prefetched
      wanted={[
        { route: listScenarios, path, params: { projectId }, key: keys.scenarios(projectId), as: "pages" },
      ]}
    >
      <ScenarioTable projectId={projectId} />
    </Prefetched>
  );
}
