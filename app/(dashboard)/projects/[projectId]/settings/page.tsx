import type { Metadata } from "next";
import { keys } from "#components/api/keys.ts";
import { SettingsPage } from "#components/settings/settings-page.tsx";
import { GET as listProjects } from "../../../../api/v1/projects/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  // The height of the dependency graph depends on the number of projects.
  return (
    <Prefetched
      wanted={[{ route: listProjects, path: "/projects?limit=200", key: keys.projects(), as: "whole" }]}
    >
      <SettingsPage projectId={projectId} />
    </Prefetched>
  );
}
