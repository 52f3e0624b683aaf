import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
import { CheckpointsPage } from "#components/checkpoints/checkpoints-page.tsx";
import { GET as listCheckpoints } from "../../../../api/v1/projects/[projectId]/checkpoints/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Checkpoints" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  return (
    <Prefetched params={{ projectId }} wanted={[[listCheckpoints, queries.checkpoints(projectId)]]}>
      <CheckpointsPage projectId={projectId} />
    </Prefetched>
  );
}
