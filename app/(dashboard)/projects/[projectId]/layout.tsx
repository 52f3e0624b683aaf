import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { keys } from "#components/api/keys.ts";
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
  const of = { params: { projectId } };
  return (
    <Prefetched
      wanted={[
        { route: getProject, path: `/projects/${projectId}`, key: keys.project(projectId), as: "one", ...of },
        {
          route: listJobs,
          path: `/jobs/project/${projectId}`,
          key: keys.jobs(projectId),
          as: "pages",
          ...of,
        },
      ]}
    >
      <NuqsAdapter>
        <ProjectShell projectId={projectId}>{children}</ProjectShell>
      </NuqsAdapter>
    </Prefetched>
  );
}
