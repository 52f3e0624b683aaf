"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "#components/api/client";
import { queries } from "#components/api/queries";
import { JobsTray } from "#components/jobs/jobs-tray";
import { LiveIndicator } from "#components/realtime/live-indicator";
import { RealtimeProvider } from "#components/realtime/realtime-provider";
import { Skeleton } from "#components/ui/skeleton";
import { ErrorState } from "#components/ui/states";
import { ProjectNav } from "./project-nav.tsx";
import { TopBar } from "./top-bar.tsx";

/** What every page of a project stands in: its name, its sections, its running jobs, and the live channel. */
export function ProjectShell({ projectId, children }: { projectId: string; children: ReactNode }) {
  const project = useQuery(queries.project(projectId));
  const { error } = project;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <TopBar />
        <ErrorState error={error} />
      </>
    );
  }
  return (
    <RealtimeProvider projectId={projectId}>
      <TopBar>
        <div className="flex items-center gap-3">
          <span className="text-line-strong" aria-hidden="true">
            /
          </span>
          {project.data ? (
            <span className="min-w-0 truncate font-medium">{project.data.name}</span>
          ) : (
            <Skeleton className="h-4 w-40" />
          )}
          <span className="hidden flex-1 sm:block" />
          <span className="hidden items-center gap-4 sm:flex">
            <JobsTray projectId={projectId} />
            <LiveIndicator />
          </span>
        </div>
      </TopBar>
      <div className="md:grid md:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="border-b md:sticky md:top-13 md:h-[calc(100dvh-3.25rem)] md:border-r md:border-b-0">
          <ProjectNav projectId={projectId} />
        </div>
        <main className="mx-auto w-full max-w-7xl px-4 py-7 sm:px-8">{children}</main>
      </div>
    </RealtimeProvider>
  );
}
