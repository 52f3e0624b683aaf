"use client";

import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/states";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  return (
    <main className="mx-auto max-w-xl pt-[16vh]">
      <EmptyState title="This page broke" action={<Button onClick={reset}>Try again</Button>}>
        {error.digest
          ? `Report it with the number ${error.digest}.`
          : "Try again; if it stays broken, reload the page."}
      </EmptyState>
    </main>
  );
}
