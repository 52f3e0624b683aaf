import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
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
  return (
    <Prefetched params={{ projectId }} wanted={[[listScenarios, queries.scenarios(projectId, query)]]}>
      <ScenarioTable projectId={projectId} />
    </Prefetched>
  );
}
