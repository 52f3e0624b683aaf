import type { Metadata } from "next";
import { TopBar } from "#components/layout/top-bar";
import { ProjectList } from "#components/projects/project-list";

export const metadata: Metadata = { title: "Projects" };

export default function ProjectsPage() {
  return (
    <>
      <TopBar />
      <main className="mx-auto max-w-7xl px-4 py-8 sm:px-6">
        <ProjectList />
      </main>
    </>
  );
}
