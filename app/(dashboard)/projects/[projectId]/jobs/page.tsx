import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
import { JobTable } from "#components/jobs/job-table.tsx";
import { GET as listCheckpoints } from "../../../../api/v1/projects/[projectId]/checkpoints/route.ts";
import { GET as listScenarios } from "../../../../api/v1/projects/[projectId]/scenarios/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Jobs" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  // For the names of jobs. The project layout prefetches the jobs themselves.
  return (
    <Prefetched
      params={{ projectId }}
      wanted={[
        [listScenarios, queries.scenarios(projectId)],
        [listCheckpoints, queries.checkpoints(projectId)],
      ]}
    >
      <JobTable projectId={projectId} />
    </Prefetched>
  );
}
