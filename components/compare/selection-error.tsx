import { ApiError } from "#components/api/client.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";

/** The scenarios that a refusal names: gone, or without predictions (yet). */
function faultyIds(error: Error): string[] {
  if (!(error instanceof ApiError)) return [];
  if (error.code !== "scenario_not_found" && error.code !== "scenario_not_ready") return [];
  return error.details.flatMap(({ field, id }) => (field === "ids" && typeof id === "string" ? [id] : []));
}

/** Why what was chosen cannot be compared, and how to go on with the rest of it. */
export function SelectionFault({
  error,
  ids,
  onChange,
  onPick,
  onRetry,
}: {
  error: Error;
  ids: readonly string[];
  onChange(ids: string[]): void;
  onPick(): void;
  onRetry(): void;
}) {
  const faulty = faultyIds(error);
  if (faulty.length === 0) return <ErrorState error={error} onRetry={onRetry} />;
  const rest = ids.filter((id) => !faulty.includes(id.toLowerCase()));
  const gone = error instanceof ApiError && error.code === "scenario_not_found";
  const many = faulty.length > 1;
  return (
    <EmptyState
      title={
        gone
          ? `${faulty.length} of the ${ids.length} scenarios ${many ? "are" : "is"} not there`
          : `${faulty.length} of the ${ids.length} scenarios ${many ? "have" : "has"} no predictions`
      }
      action={
        <>
          {rest.length >= limits.compareMin && (
            <Button look="primary" onClick={() => onChange(rest)}>
              Compare the other {rest.length}
            </Button>
          )}
          {!gone && <Button onClick={onRetry}>Try again</Button>}
          <Button onClick={onPick}>Choose scenarios</Button>
        </>
      }
    >
      {gone
        ? "The link names scenarios that were deleted, or that belong to another project."
        : ((error as ApiError).details[0]?.message ?? error.message)}
    </EmptyState>
  );
}

/** More than can be compared at once. */
export function TooMany({ ids, onPick }: { ids: readonly string[]; onPick(): void }) {
  return (
    <EmptyState
      title={`${ids.length} scenarios are too many`}
      action={
        <Button look="primary" onClick={onPick}>
          Choose scenarios
        </Button>
      }
    >
      At most {limits.compareMax} can be compared at once. Leave some out.
    </EmptyState>
  );
}
