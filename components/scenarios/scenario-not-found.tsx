"use client";

import { useParams } from "next/navigation";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

export function ScenarioNotFound() {
  const { projectId } = useParams<{ projectId: string }>();
  return (
    <EmptyState
      title="Scenario not found"
      action={<ButtonLink href={`/projects/${projectId}/scenarios`}>All scenarios</ButtonLink>}
    >
      The scenario may have been deleted, or the link is incomplete.
    </EmptyState>
  );
}
