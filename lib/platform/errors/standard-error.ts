import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { DomainError, type ErrorDetail } from "./domain-error.ts";

/** Where the caller named what is not there. */
export type Place = Pick<ErrorDetail, "field" | "id" | "value">;

/**
 * A refusal in the table's own words: the code's meaning and what to do. For what is always said the same, such as that
 * something does not exist for the caller, whatever the reason.
 */
export function standardError(code: ErrorCode, ...places: Place[]): DomainError {
  const [, meaning, remedy] = errorCodes[code];
  const details = places.map((place) => ({ ...place, code, message: meaning }));
  return new DomainError(code, `${meaning} ${remedy}`, { details });
}
