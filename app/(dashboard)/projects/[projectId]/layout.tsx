import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { queries } from "#components/api/queries.ts";
import { ProjectRoleProvider } from "#components/api/viewer.tsx";
import { ProjectShell } from "#components/layout/project-shell.tsx";
import { Id } from "#lib/contract/common";
import type { ProjectRole } from "#lib/contract/project-roles";
import { roleOf } from "#lib/domain/projects/project-role";
import { sessionUser } from "#lib/domain/users/sessions";
import { database } from "#lib/platform/database/process-database";
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
        <ProjectRoleProvider role={await ownRole(projectId)}>
          <ProjectShell projectId={projectId}>{children}</ProjectShell>
        </ProjectRoleProvider>
      </NuqsAdapter>
    </Prefetched>
  );
}

/** Returns the role of the signed-in user in the project; null without one, and for a project that does not exist. */
async function ownRole(projectId: string): Promise<ProjectRole | null> {
  const user = await sessionUser(await headers());
  if (user === null || !Id.safeParse(projectId).success) return null;
  return roleOf(database(), { kind: "session", userId: user.id, role: user.role }, projectId);
}
