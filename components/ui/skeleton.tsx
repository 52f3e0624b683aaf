import { classNames } from "./class-names.ts";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("animate-pulse rounded-md bg-line/70", className)} />;
}

/** Placeholder card with a given height and title. */
export function SkeletonCard({ className }: { className: string }) {
  return (
    <div
      aria-hidden="true"
      className={classNames("flex flex-col gap-4 rounded-lg border bg-surface p-5 shadow-soft", className)}
    >
      <Skeleton className="h-4 w-40 shrink-0" />
      <Skeleton className="flex-1 opacity-60" />
    </div>
  );
}

/** Placeholder rows with the height of the table, so that the layout does not shift. */
export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className="flex h-12 items-center gap-4 px-5">
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="h-3.5 w-1/6" />
          <Skeleton className="ml-auto h-3.5 w-1/6" />
        </div>
      ))}
    </div>
  );
}
