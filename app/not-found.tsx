import { Logo } from "#components/layout/logo.tsx";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";

export default function NotFound() {
  return (
    <>
      <header className="px-6 py-4">
        <Logo />
      </header>
      <main className="mx-auto max-w-xl pt-[12vh]">
        <EmptyState
          title="Page not found"
          action={
            <Button asChild>
              <Link href="/projects">All projects</Link>
            </Button>
          }
        >
          The item may have been deleted, or the link is incomplete.
        </EmptyState>
      </main>
    </>
  );
}
