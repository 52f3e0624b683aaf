import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import { countedDetails, DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { isFull, isOutage } from "#lib/platform/errors/outage";
import { JsonAnswer } from "./json-answer.ts";

const outageRetrySeconds = 5;

/** Converts any error to a DomainError. Domain errors stay as they are. Other errors reveal no internals. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isOutage(error)) {
    const reason = isFull(error) ? "The storage is full." : "The service cannot reach a required component.";
    const message = `${reason} Retry after the delay in the header Retry-After.`;
    return new DomainError("service_unavailable", message, {
      retryAfterSeconds: outageRetrySeconds,
      cause: error,
    });
  }
  const message =
    "An internal error occurred. Retry the request. If the error persists, report the request ID.";
  return new DomainError("internal_error", message, { cause: error });
}

/** Returns the error envelope with the status of the code and its headers. */
export function errorAnswer(error: DomainError, requestId: string): JsonAnswer {
  const [status] = errorCodes[error.code];
  const details = cutDetails(error);
  const body = {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(details.length > 0 ? { details } : {}),
      requestId,
    },
  };
  const answer = JsonAnswer.of(body, status);
  if (error.retryAfterSeconds !== undefined) {
    answer.headers.set("Retry-After", String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  if (status === 401) answer.headers.set("WWW-Authenticate", 'ApiKey header="X-API-Key"');
  return answer;
}

/** Returns at most 100 details, then the number of further details. */
function cutDetails({ details, unlisted }: DomainError): ErrorDetail[] {
  const listed = details.slice(0, limits.errorDetails);
  return countedDetails(listed, details.length - listed.length + unlisted);
}
