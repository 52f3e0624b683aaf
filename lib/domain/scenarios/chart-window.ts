import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import { seriesBound } from "./scenario-request.ts";

/** Query of a chart. `from` and `to` are inclusive: dates or times, or row numbers for series without times. */
export type ChartWindow = {
  maxPoints?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Levels of additional prediction intervals. */
export type AtLevels = { levels?: readonly number[] | undefined };

/**
 * Parses a chart's query: `from` and `to` become epoch milliseconds, or row numbers from 1 without times.
 *
 * @throws {DomainError} validation_failed for an invalid bound, and for `from` after `to`
 */
export function chartOptions(
  { maxPoints, from, to }: ChartWindow,
  timed: boolean,
): { maxPoints?: number; from?: number; to?: number } {
  const bounds = {
    ...(from === undefined ? {} : { from: seriesBound(from, timed) }),
    ...(to === undefined ? {} : { to: seriesBound(to, timed) }),
  };
  const details = boundIssues({ from, to }, bounds, timed);
  requireNoIssues("validation_failed", details);
  return { ...(maxPoints === undefined ? {} : { maxPoints }), ...bounds };
}

function boundIssues(
  given: Pick<ChartWindow, "from" | "to">,
  bounds: { from?: number; to?: number },
  timed: boolean,
): ErrorDetail[] {
  const issues = (["from", "to"] as const).flatMap((field): ErrorDetail[] => {
    if (!Number.isNaN(bounds[field])) return [];
    const value = given[field]!;
    const message = timed
      ? `${field}: "${value}" is not a time. Use an ISO 8601 date or time.`
      : `${field}: "${value}" is not a row number. The series has no timestamps, so use row numbers.`;
    return [{ field, value, code: timed ? "not_a_time" : "not_a_row", message }];
  });
  const { from, to } = bounds;
  if (from === undefined || to === undefined || !(from > to)) return issues;
  return [{ field: "from", value: given.from, code: "after_to", message: "`from` must not be after `to`." }];
}
