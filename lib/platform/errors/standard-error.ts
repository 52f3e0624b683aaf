import { type ErrorCode, errorCodes } from "#lib/contract/error-codes";
import { DomainError, type ErrorDetail } from "./domain-error.ts";

/** Location of an unknown name in the request. */
export type Place = Pick<ErrorDetail, "field" | "id" | "value">;

/**
 * Returns an error with the standard message of its code: the meaning and the action. Use it where the message must not
 * vary, for example if an entity does not exist for the caller.
 */
export function standardError(code: ErrorCode, ...places: Place[]): DomainError {
  const [, meaning, remedy] = errorCodes[code];
  const details = places.map((place) => ({ ...place, code, message: meaning }));
  return new DomainError(code, `${meaning} ${remedy}`, { details });
}
