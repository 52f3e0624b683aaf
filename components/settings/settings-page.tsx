"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay, useViewer } from "#components/api/viewer.tsx";
import { ApiKeysSection } from "#components/api-keys/api-keys-section.tsx";
import { AuditLog } from "#components/audit/audit-log.tsx";
import { MembersSection } from "#components/members/members-section.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { WebhooksSection } from "#components/webhooks/webhooks-section.tsx";
import { AccessSection } from "./access-section.tsx";
import { DeleteSection } from "./delete-section.tsx";
import { DependenciesSection } from "./dependencies-section.tsx";
import { DisplaySection } from "./display-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { SpaceSection } from "./space-section.tsx";

export function SettingsPage({ projectId }: { projectId: string }) {
  const viewerId = useViewer().id;
  const may = useMay();
  const project = useQuery(queries.project(projectId));
  const isAdmin = may("updateProject");
  return (
    <>
      <PageHeader
        title="Settings"
        description={
          isAdmin
            ? "Name, dependencies, access, keys and members."
            : "Only admins of the project can change its settings."
        }
      />
      <QueryState query={project} rows={6} inCard />
      {project.data && (
        <div className="max-w-6xl space-y-6">
          <GeneralSection key={project.data.id} project={project.data} isAdmin={isAdmin} />
          <DisplaySection project={project.data} isAdmin={isAdmin} />
          <DependenciesSection project={project.data} isAdmin={may("setDependencies")} />
          <SpaceSection projectId={projectId} />
          <ApiKeysSection projectId={projectId} isAdmin={may("createApiKey")} />
          {may("createWebhook") && <WebhooksSection projectId={projectId} />}
          {may("addProjectMember") && <AccessSection project={project.data} />}
          <MembersSection isAdmin={may("createMember")} viewerId={viewerId} />
          <AuditLog projectId={projectId} />
          {may("deleteProject") && <DeleteSection project={project.data} />}
        </div>
      )}
    </>
  );
}
