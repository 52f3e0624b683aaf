"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { ProjectOverview } from "#lib/contract/projects";
import { ProjectCard } from "./project-card.tsx";

const CreateProjectDialog = dynamic(() => import("./create-project-dialog.tsx"), { ssr: false });

const pollingMs = 30_000;
const pollingWhileRunningMs = 3_000;

export function ProjectList() {
  const mayCreate = useMay()("createProject");
  // A realtime channel covers one project, so this page polls for all projects.
  const projects = useQuery({
    ...queries.projects(),
    refetchInterval: ({ state }) => (anyRuns(state.data) ? pollingWhileRunningMs : pollingMs),
  });
  const [creating, setCreating] = useState(false);
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" /> New project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="Each project holds a trained model and its scenarios."
        actions={create}
      />
      {projects.isPending && (
        <div
          role="status"
          aria-label="Loading"
          className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4"
        >
          <SkeletonCard className="h-60" />
          <SkeletonCard className="h-60" />
          <SkeletonCard className="h-60" />
        </div>
      )}
      {projects.error && (
        <Card>
          <ErrorState error={projects.error} onRetry={projects.refetch} />
        </Card>
      )}
      {projects.data?.length === 0 && (
        <Card>
          <EmptyState title="No projects yet" drawing={<ForkDrawing />} action={create}>
            {mayCreate
              ? "Create a project, upload a CSV or Excel file, and train the first model."
              : "Only admins can create projects. Ask an admin."}
          </EmptyState>
        </Card>
      )}
      {projects.data && projects.data.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
          {projects.data.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </div>
      )}
      {creating && <CreateProjectDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const anyRuns = (projects: readonly ProjectOverview[] | undefined) =>
  projects?.some(({ openJobs }) => openJobs > 0) ?? false;
