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

/** The checkpoints of other projects that predict inputs of a scenario, by name. */
export function DependentCheckpoints({ pins }: { pins: Record<string, string> }) {
  return (
    <ul>
      {Object.entries(pins).map(([projectId, checkpointId]) => (
        <li key={projectId} className="whitespace-normal">
          <DependentCheckpoint projectId={projectId} checkpointId={checkpointId} />
        </li>
      ))}
    </ul>
  );
}

function DependentCheckpoint({ projectId, checkpointId }: { projectId: string; checkpointId: string }) {
  const checkpoint = useQuery({ ...queries.checkpoint(projectId, checkpointId), retry: false });
  const project = useQuery({ ...queries.project(projectId), retry: false });
  // The project may be one that this person does not see.
  if (checkpoint.error) return "of another project";
  return (
    <>
      <CheckpointLink projectId={projectId} checkpointId={checkpointId}>
        {checkpoint.data?.label ?? "…"}
      </CheckpointLink>
      {project.data && ` of ${project.data.name}`}
    </>
  );
}
