import Link from "next/link";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/states";

export default function NotFound() {
  return (
    <main className="mx-auto max-w-xl pt-[16vh]">
      <EmptyState
        title="There is nothing at this address"
        action={
          <Button asChild>
            <Link href="/projects">All projects</Link>
          </Button>
        }
      >
        It may have been deleted, or the link is incomplete.
      </EmptyState>
    </main>
  );
}
