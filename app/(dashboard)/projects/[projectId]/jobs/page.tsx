import type { Metadata } from "next";
import { keys } from "#components/api/keys.ts";
import { JobTable } from "#components/jobs/job-table.tsx";
import { GET as listCheckpoints } from "../../../../api/v1/projects/[projectId]/checkpoints/route.ts";
import { GET as listScenarios } from "../../../../api/v1/projects/[projectId]/scenarios/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Jobs" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  const at = `/projects/${projectId}`;
  const of = { params: { projectId } };
  // For the names of jobs. The project layout prefetches the jobs themselves.
  return (
    <Prefetched
      wanted={[
        {
          route: listScenarios,
          path: `${at}/scenarios`,
          key: keys.scenarioList(projectId),
          as: "pages",
          ...of,
        },
        {
          route: listCheckpoints,
          path: `${at}/checkpoints?include=usage&limit=200`,
          key: keys.checkpoints(projectId),
          as: "whole",
          ...of,
        },
      ]}
    >
      <JobTable projectId={projectId} />
    </Prefetched>
  );
}
