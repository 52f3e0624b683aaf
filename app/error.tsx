"use client";

import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

/** What a page shows that could not be made: a part of the service is away for a moment, or the page is broken. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="mx-auto max-w-xl pt-[16vh]">
      <EmptyState
        title="This page cannot be shown just now"
        // Only the server can make it anew.
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      >
        Most often that passes within seconds: a part of the service is starting again.
        {error.digest && ` If it stays, report it with the number ${error.digest}.`}
      </EmptyState>
    </main>
  );
}
