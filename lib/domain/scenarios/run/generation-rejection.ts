import { GenerationImpossible } from "#lib/engine/forecasting/generation";
import { issueError } from "#lib/platform/errors/domain-error";

/** Converts an error of input generation to a validation error. Returns any other error unchanged. */
export function generationRejection(error: unknown): unknown {
  if (!(error instanceof GenerationImpossible)) return error;
  const field = error.code === "no_frequency" || error.code === "no_rows" ? "fileData" : "endDate";
  return issueError("validation_failed", { field, code: error.code, message: error.message }, error);
}
