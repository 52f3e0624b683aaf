import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { TopBar } from "./top-bar.tsx";

export function ProjectNotFound() {
  return (
    <>
      <TopBar />
      <main id="content" tabIndex={-1} className="mx-auto max-w-xl pt-[12vh]">
        <EmptyState
          title="Project not found"
          action={
            <ButtonLink look="primary" href="/projects">
              All projects
            </ButtonLink>
          }
        >
          The project may have been deleted, or the link is incomplete.
        </EmptyState>
      </main>
    </>
  );
}
