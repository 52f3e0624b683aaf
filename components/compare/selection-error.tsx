import { ApiError } from "#components/api/client.ts";
import { Button } from "#components/ui/button.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";
import { splitRunName } from "#lib/contract/run-names";

const codes = ["scenario_not_found", "run_not_found", "scenario_not_ready"];

/** Returns the scenarios and runs named by the error: deleted, or without predictions. */
function invalidIds(error: Error): string[] {
  if (!(error instanceof ApiError) || !codes.includes(error.code)) return [];
  return error.details.flatMap(({ field, id }) => (field === "ids" && typeof id === "string" ? [id] : []));
}

/** Parts of the URL that select the shown part of a comparison. */
const viewFields = ["from", "to", "baselineId"];

/** Returns why the span or the baseline of the URL is invalid; undefined for other errors. */
function viewIssue(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "validation_failed") return undefined;
  return error.details.find(({ field }) => field && viewFields.includes(field))?.message;
}

/** Explains why the selection cannot be compared, and offers to compare the rest. */
export function SelectionIssue({
  error,
  ids,
  onChange,
  onReset,
  onPick,
  onRetry,
}: {
  error: Error;
  ids: readonly string[];
  onChange(ids: string[]): void;
  /** Shows all rows, with the first scenario as baseline. */
  onReset(): void;
  onPick(): void;
  onRetry(): void;
}) {
  const invalid = invalidIds(error);
  const issue = viewIssue(error);
  if (issue !== undefined) {
    return (
      <EmptyState
        title="The link is invalid"
        action={
          <Button look="primary" onClick={onReset}>
            Show the whole comparison
          </Button>
        }
      >
        {issue}
      </EmptyState>
    );
  }
  if (invalid.length === 0) return <ErrorState error={error} onRetry={onRetry} />;
  const rest = ids
    .map((id) => id.toLowerCase())
    .filter((id) => !invalid.includes(id) && !invalid.includes(splitRunName(id).scenarioId));
  const count = ids.length - rest.length;
  const gone = (error as ApiError).code !== "scenario_not_ready";
  const areRuns = (error as ApiError).code === "run_not_found";
  const many = count > 1;
  return (
    <EmptyState
      title={
        gone
          ? `${count} of the ${ids.length} ${areRuns ? "runs" : "scenarios"} ${many ? "were" : "was"} not found`
          : `${count} of the ${ids.length} scenarios ${many ? "have" : "has"} no predictions`
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
        ? `These ${areRuns ? "runs" : "scenarios"} were deleted or belong to another project.`
        : ((error as ApiError).details[0]?.message ?? error.message)}
    </EmptyState>
  );
}
