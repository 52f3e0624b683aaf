"use client";

import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

/** Shown if a page cannot be rendered: a component of the service is unavailable, or the page has a defect. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="mx-auto max-w-xl pt-[16vh]">
      <EmptyState
        title="This page cannot be loaded"
        // Only the server can render the page again.
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      >
        A component of the service may be restarting. Try again in a few seconds.
        {error.digest && ` If the error persists, report the number ${error.digest}.`}
      </EmptyState>
    </main>
  );
}
