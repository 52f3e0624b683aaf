import type { Sensitivity } from "#lib/contract/sensitivity";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";

/** Maximum number of row evaluations, counting every pass of a row through a model: about ten seconds of a large model. */
const EVALUATIONS_MAX = 500_000;
/** The same limit for rows that build on each other. These rows go through the model one after the other. */
const EVALUATIONS_TOGETHER_MAX = 200_000;

type RowsToTry = Pick<Sensitivity, "evaluatedRows" | "sample"> & {
  /** Rows to read, from 0; a number: that many rows from the first. */
  rows: Int32Array | number;
};

/**
 * Chooses the rows to evaluate within the limits. Long spans use every n-th row. If rows build on each other, all
 * earlier rows are evaluated too, and long spans use their first rows.
 *
 * @param span rows of the span, from 0, ascending; not empty
 * @param times number of evaluations per row
 * @throws {DomainError} validation_failed if no row of the span lies within the limits
 */
export function rowsToTry(span: Int32Array, times: number, rowsBuildOnEachOther: boolean): RowsToTry {
  const most = Math.floor((rowsBuildOnEachOther ? EVALUATIONS_TOGETHER_MAX : EVALUATIONS_MAX) / times);
  if (!rowsBuildOnEachOther) {
    if (span.length <= most) return { rows: span, evaluatedRows: span.length, sample: "all" };
    const rows = Int32Array.from({ length: most }, (_, at) => span[Math.floor((at * span.length) / most)]!);
    return { rows, evaluatedRows: rows.length, sample: "spread" };
  }
  const end = Math.min(span.at(-1)! + 1, most);
  const evaluatedRows = span.reduce((count, row) => count + (row < end ? 1 : 0), 0);
  if (evaluatedRows === 0) throw tooFarError(most);
  return { rows: end, evaluatedRows, sample: evaluatedRows === span.length ? "all" : "first" };
}

function tooFarError(most: number): DomainError {
  const message = `The rows of this model build on each other, so at most ${most.toLocaleString("en")} rows from the first can be evaluated. Use an earlier span, or name fewer features.`;
  return issueError("validation_failed", { field: "from", code: "too_many_rows", message });
}
