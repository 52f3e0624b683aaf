"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { Link } from "#components/ui/link.tsx";

const link = "rounded-sm text-accent underline";

export function CheckpointLink({
  projectId,
  checkpointId,
  children,
}: {
  projectId: string;
  checkpointId: string;
  children: React.ReactNode;
}) {
  return (
    <Link className={link} href={`/projects/${projectId}/checkpoints?open=${checkpointId}`}>
      {children}
    </Link>
  );
}

/** Lists the pinned checkpoints of upstream projects that predict inputs of a scenario. */
export function UpstreamCheckpoints({ pinnedCheckpoints }: { pinnedCheckpoints: Record<string, string> }) {
  return (
    <ul>
      {Object.entries(pinnedCheckpoints).map(([projectId, checkpointId]) => (
        <li key={projectId} className="whitespace-normal">
          <UpstreamCheckpoint projectId={projectId} checkpointId={checkpointId} />
        </li>
      ))}
    </ul>
  );
}

function UpstreamCheckpoint({ projectId, checkpointId }: { projectId: string; checkpointId: string }) {
  const checkpoint = useQuery({ ...queries.checkpoint(projectId, checkpointId), retry: false });
  const project = useQuery({ ...queries.project(projectId), retry: false });
  // The member may not have access to the project.
  if (checkpoint.error) return "another project's checkpoint";
  return (
    <>
      <CheckpointLink projectId={projectId} checkpointId={checkpointId}>
        {checkpoint.data?.label ?? "…"}
      </CheckpointLink>
      {project.data && ` of ${project.data.name}`}
    </>
  );
}
