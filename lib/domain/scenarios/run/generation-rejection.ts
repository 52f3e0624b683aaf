import { GenerationImpossible } from "#lib/engine/forecasting/generation";
import { issueError } from "#lib/platform/errors/domain-error";

/**
 * Converts an error of input generation to a validation error, and that of too many rows of many series to input_invalid. Returns
 * any other error unchanged.
 */
export function generationRejection(error: unknown): unknown {
  if (!(error instanceof GenerationImpossible)) return error;
  const field = error.code === "no_frequency" || error.code === "no_rows" ? "fileData" : "endDate";
  if (error.code === "too_many_panel_rows")
    return issueError("input_invalid", { field, code: "too_many_rows", message: error.message }, error);
  return issueError("validation_failed", { field, code: error.code, message: error.message }, error);
}
