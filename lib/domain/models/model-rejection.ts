import { inputIssuesError } from "#lib/domain/datasets/csv-error";
import { InputInvalid } from "#lib/engine/inference/predict-table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { issueError } from "#lib/platform/errors/domain-error";

/**
 * Rethrows the error of an imported model that rejects its input. Such a model may accept fewer values than its features'
 * types allow, or exceed its time or memory limit.
 *
 * @param field field of the request that the input comes from
 * @throws {DomainError} input_invalid; any other error unchanged
 */
export const rethrowRejection =
  (field?: string) =>
  (cause: unknown): never => {
    if (!(cause instanceof ModelInvalid)) throw cause;
    const { message, place } = cause;
    const issue = { ...(field !== undefined && { field }), ...place, code: "model_rejected", message };
    throw issueError("input_invalid", issue, cause);
  };

/** Converts the error for a table that a model cannot read to input_invalid with its issues. Returns any other error unchanged. */
export function inputRejection(error: unknown): unknown {
  if (!(error instanceof InputInvalid)) return error;
  const { issues, issueCount } = error.check;
  return inputIssuesError("The input", issues, issueCount);
}
