import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
import { SettingsPage } from "#components/settings/settings-page.tsx";
import { GET as listProjects } from "../../../../api/v1/projects/route.ts";
import { Prefetched } from "../../../prefetch.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params;
  // The height of the dependency graph depends on the number of projects.
  return (
    <Prefetched wanted={[[listProjects, queries.projects()]]}>
      <SettingsPage projectId={projectId} />
    </Prefetched>
  );
}
