import { errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";

/** In the same words for a project that never was, that is being deleted, and that is not the caller's. */
export const projectNotFound = () => new DomainError("project_not_found", errorCodes.project_not_found[1]);
