import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { SkeletonRows } from "./skeleton.tsx";

/** Empty state: describes the missing content and offers the next step. */
export function EmptyState({
  title,
  children,
  action,
  drawing,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  drawing?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {drawing && <div className="mb-5 text-ink-faint">{drawing}</div>}
      <h3 className="text-[15px] font-semibold">{title}</h3>
      <p className="mt-1 max-w-md text-[13px] text-ink-faint">{children}</p>
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Error state: shows the service's message, the request ID and a retry button. */
export function ErrorState({
  error,
  onRetry,
}: {
  error: Error & { requestId?: string | null };
  onRetry?: () => void;
}) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <h3 className="text-[15px] font-semibold">Loading failed</h3>
      <p className="mt-1 max-w-md text-[13px] text-ink-soft">{error.message}</p>
      {error.requestId && <p className="mt-2 font-mono text-xs text-ink-faint">Request {error.requestId}</p>}
      {onRetry && (
        <Button className="mt-5" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** State of a query without data: placeholder rows, or the error with a retry button. */
export function QueryState({
  query: { isPending, error, refetch },
  rows = 4,
  inCard = false,
}: {
  query: { isPending: boolean; error: Error | null; refetch(): unknown };
  rows?: number;
  inCard?: boolean;
}) {
  if (!isPending && !error) return null;
  const state = error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonRows rows={rows} />;
  return inCard ? <Card>{state}</Card> : state;
}
