import type { Metadata } from "next";
import { queries } from "#components/api/queries.ts";
import { TopBar } from "#components/layout/top-bar.tsx";
import { ProjectList } from "#components/projects/project-list.tsx";
import { GET as listProjects } from "../../api/v1/projects/route.ts";
import { Prefetched } from "../prefetch.tsx";

export const metadata: Metadata = { title: "Projects" };

export default function ProjectsPage() {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} className="mx-auto max-w-wide px-4 py-8 sm:px-6">
        <Prefetched wanted={[[listProjects, queries.projects()]]}>
          <ProjectList />
        </Prefetched>
      </main>
    </>
  );
}
