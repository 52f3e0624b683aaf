import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { queries } from "#components/api/queries.ts";
import { ProjectShell } from "#components/layout/project-shell.tsx";
import { GET as listJobs } from "../../../api/v1/jobs/project/[projectId]/route.ts";
import { GET as getProject } from "../../../api/v1/projects/[projectId]/route.ts";
import { Prefetched } from "../../prefetch.tsx";

export default async function ProjectLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ projectId: string }>;
}) {
  const { projectId } = await params;
  return (
    <Prefetched
      params={{ projectId }}
      wanted={[
        [getProject, queries.project(projectId)],
        [listJobs, queries.jobs(projectId)],
      ]}
    >
      <NuqsAdapter>
        <ProjectShell projectId={projectId}>{children}</ProjectShell>
      </NuqsAdapter>
    </Prefetched>
  );
}
