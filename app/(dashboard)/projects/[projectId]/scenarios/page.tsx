import type { Metadata } from "next";
import { keys } from "#components/api/keys.ts";
import { listQuery, loadListState } from "#components/scenarios/scenario-list.ts";
import { ScenarioTable } from "#components/scenarios/scenario-table.tsx";
import { GET as listScenarios } from "../../../../api/v1/projects/[projectId]/scenarios/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Scenarios" };

type Props = {
  params: Promise<{ projectId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const { projectId } = await params;
  const query = listQuery(await loadListState(searchParams));
  const path = `/projects/${projectId}/scenarios?${query}`;
  return (
    <Prefetched
      wanted={[
        {
          route: listScenarios,
          path,
          params: { projectId },
          key: keys.scenarioList(projectId, query),
          as: "pages",
        },
      ]}
    >
      <ScenarioTable projectId={projectId} />
    </Prefetched>
  );
}
