import { limits } from "#lib/contract/limits";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { type Alignable, type Alignment, AlignmentTooLarge, align } from "#lib/engine/series/align";
import { TooManyToSend } from "#lib/engine/series/compare-scenarios";
import { DomainError } from "#lib/platform/errors/domain-error";

const told = (count: number) => count.toLocaleString("en");

/**
 * What is compared lies in memory: predictions and times of every row.
 *
 * @throws {DomainError} validation_failed for more rows than memory is given to
 */
export function requireComparable(rows: readonly ScenarioRow[]): void {
  const count = rows.reduce((sum, { scenario }) => sum + (scenario.rowCount ?? 0), 0);
  if (count <= limits.comparedRows) return;
  throw refusal(
    "ids",
    "too_many_rows",
    `The scenarios have ${told(count)} rows together, and up to ${told(limits.comparedRows)} can be compared: compare fewer of them, or scenarios of shorter stretches.`,
  );
}

/**
 * What is compared, on one axis.
 *
 * @throws {DomainError} validation_failed where there are more points than memory is given to
 */
export function alignCompared(compared: readonly Alignable[]): Alignment {
  try {
    return align(compared);
  } catch (error) {
    throw asRefusal(error, compared.length);
  }
}

/** What came of laying so many scenarios side by side, as it is told to whoever asked for it. */
export function asRefusal(error: unknown, scenarios: number): unknown {
  if (error instanceof AlignmentTooLarge) return tooManyPoints(error.points, scenarios);
  return error instanceof TooManyToSend ? tooManyToSend(error.points) : error;
}

/** For scenarios of which each has few rows, but at other times than the others. */
function tooManyPoints(points: number, scenarios: number): DomainError {
  return refusal(
    "ids",
    "too_many_points",
    `The ${scenarios} scenarios have rows at ${told(points)} points together, most of which not all of them share, and that is more than can be laid side by side: compare fewer of them, or scenarios of the same times.`,
  );
}

function tooManyToSend(points: number): DomainError {
  return refusal(
    "maxPoints",
    "too_many_points",
    `An answer of ${told(points)} points is too large: say by \`maxPoints\` how many to send at most, or ask for a page by \`limit\`, for a stretch by \`from\` and \`to\`, or for CSV.`,
  );
}

function refusal(field: string, code: string, message: string): DomainError {
  return new DomainError("validation_failed", message, { details: [{ field, code, message }] });
}
