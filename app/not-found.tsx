import { Logo } from "#components/layout/logo.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

export default function NotFound() {
  return (
    <>
      <header className="px-6 py-4">
        <Logo />
      </header>
      <main className="mx-auto max-w-xl pt-[12vh]">
        <EmptyState title="Page not found" action={<ButtonLink href="/projects">All projects</ButtonLink>}>
          The item may have been deleted, or the link is incomplete.
        </EmptyState>
      </main>
    </>
  );
}
