import { limits } from "#lib/contract/limits";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { type Alignable, type Alignment, AlignmentTooLarge, align } from "#lib/engine/series/align";
import { TooManyToSend } from "#lib/engine/series/compare-scenarios";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";

const formatCount = (count: number) => count.toLocaleString("en");

/**
 * Limits the rows of a comparison, because predictions and times of every row are held in memory.
 *
 * @throws {DomainError} validation_failed for more rows than the limit
 */
export function requireComparable(rows: readonly ScenarioRow[]): void {
  const count = rows.reduce((sum, { scenario }) => sum + (scenario.rowCount ?? 0), 0);
  if (count <= limits.comparedRows) return;
  throw invalidRequestError(
    "ids",
    "too_many_rows",
    `The scenarios have ${formatCount(count)} rows in total; at most ${formatCount(limits.comparedRows)} can be compared. Compare fewer or shorter scenarios.`,
  );
}

/**
 * Aligns scenarios on one axis.
 *
 * @throws {DomainError} validation_failed for more points than the limit
 */
export function alignCompared(compared: readonly Alignable[]): Alignment {
  try {
    return align(compared);
  } catch (error) {
    throw toDomainError(error, compared.length);
  }
}

/** Converts an error of a comparison to the caller's validation error. Returns any other error unchanged. */
export function toDomainError(error: unknown, scenarios: number): unknown {
  if (error instanceof AlignmentTooLarge) return tooManyPointsError(error.points, scenarios);
  return error instanceof TooManyToSend ? tooManyToSendError(error.points) : error;
}

/** The error for scenarios that have few rows each, but at different times. */
function tooManyPointsError(points: number, scenarios: number): DomainError {
  return invalidRequestError(
    "ids",
    "too_many_points",
    `The ${scenarios} scenarios have rows at ${formatCount(points)} points in total, and most points are not shared by all scenarios. These are too many points to align. Compare fewer scenarios, or scenarios with the same times.`,
  );
}

function tooManyToSendError(points: number): DomainError {
  return invalidRequestError(
    "maxPoints",
    "too_many_points",
    `A response of ${formatCount(points)} points is too large. Set \`maxPoints\`, request a page with \`limit\` or a range with \`from\` and \`to\`, or request CSV.`,
  );
}

function invalidRequestError(field: string, code: string, message: string): DomainError {
  return issueError("validation_failed", { field, code, message });
}
