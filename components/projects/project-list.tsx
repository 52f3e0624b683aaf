"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { queries } from "#components/api/queries";
import { PageHeader } from "#components/layout/page-header";
import { useViewer } from "#components/layout/viewer";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { formatNumber } from "#components/ui/format";
import { Skeleton } from "#components/ui/skeleton";
import { EmptyState, ErrorState } from "#components/ui/states";
import { Time } from "#components/ui/time";
import type { Project } from "#lib/contract/projects";
import { ForkDrawing } from "./fork-drawing.tsx";

const CreateProjectDialog = dynamic(
  () => import("./create-project-dialog.tsx").then((file) => file.CreateProjectDialog),
  { ssr: false },
);

function ProjectCard({ project }: { project: Project }) {
  const model = project.currentModel;
  return (
    <Link
      href={`/projects/${project.id}/${model ? "scenarios" : "data"}`}
      className="group flex flex-col rounded-lg border bg-surface p-5 shadow-soft transition-colors hover:border-line-strong"
    >
      <span className="flex items-center justify-between gap-3">
        <span className="truncate font-semibold">{project.name}</span>
        <ArrowRight className="size-4 shrink-0 text-ink-faint transition-transform group-hover:translate-x-0.5" />
      </span>
      <span className="mt-1 line-clamp-2 min-h-10 text-[13px] text-ink-faint">
        {project.description || "No description"}
      </span>
      <span className="mt-4 grid grid-cols-2 gap-3 border-t pt-3 text-[13px]">
        <span>
          <span className="block text-xs text-ink-faint">Predicts</span>
          <span className="block truncate font-mono text-xs leading-5">{project.target ?? "–"}</span>
        </span>
        <span>
          <span className="block text-xs text-ink-faint">{model ? `${model.modelName}` : "Model"}</span>
          {model ? (
            <span className="figures">
              {model.targetMetric.toUpperCase()} {formatNumber(model.primaryMetricValue)}
            </span>
          ) : (
            <Badge tone="warn">none yet</Badge>
          )}
        </span>
      </span>
      <span className="mt-3 text-xs text-ink-faint">
        {model ? (
          <>
            trained <Time at={model.trainedAt} />
          </>
        ) : (
          <>
            created <Time at={project.createdAt} />
          </>
        )}
        {project.dependencies.length > 0 &&
          ` · uses ${project.dependencies.length} other ${project.dependencies.length === 1 ? "project" : "projects"}`}
      </span>
    </Link>
  );
}

export function ProjectList() {
  const viewer = useViewer();
  const projects = useQuery(queries.projects());
  const [creating, setCreating] = useState(false);
  const create = viewer.role === "admin" && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" /> New project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="Each holds a trained model and the scenarios run through it."
        actions={create}
      />
      {projects.isPending && (
        <div role="status" aria-label="Loading" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
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
            {viewer.role === "admin"
              ? "Create a project, drop a CSV on it, and train its first model."
              : "An admin creates projects; ask for one."}
          </EmptyState>
        </Card>
      )}
      {projects.data && projects.data.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {projects.data.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </div>
      )}
      {creating && <CreateProjectDialog open onOpenChange={setCreating} />}
    </>
  );
}
