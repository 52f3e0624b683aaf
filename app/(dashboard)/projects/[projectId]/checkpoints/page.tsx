import type { Metadata } from "next";
import { keys } from "#components/api/keys.ts";
import { CheckpointsPage } from "#components/checkpoints/checkpoints-page.tsx";
import { GET as listCheckpoints } from "../../../../api/v1/projects/[projectId]/checkpoints/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Checkpoints" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  const path = `/projects/${projectId}/checkpoints?include=usage&limit=200`;
  return (
    <Prefetched
      wanted={[
        {
          route: listCheckpoints,
          path,
          params: { projectId },
          key: keys.checkpoints(projectId),
          as: "whole",
        },
      ]}
    >
      <CheckpointsPage projectId={projectId} />
    </Prefetched>
  );
}
