import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import { countedDetails, DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { isFull, isOutage } from "#lib/platform/errors/outage";
import { JsonAnswer } from "./json-answer.ts";

const outageRetrySeconds = 5;

/** What the caller is told of any error: refusals as they are, everything else without a word of its inside. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isOutage(error)) {
    const reason = isFull(error)
      ? "There is no room left to store this."
      : "The service cannot reach a part that it needs.";
    const message = `${reason} Wait as long as Retry-After says.`;
    return new DomainError("service_unavailable", message, {
      retryAfterSeconds: outageRetrySeconds,
      cause: error,
    });
  }
  const message = "Something went wrong on our side. Try again; report the request id if it persists.";
  return new DomainError("internal_error", message, { cause: error });
}

/** The error envelope with the status of the one table, and the headers that belong to the code. */
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

/** At most 100 of them, then how many more there are. */
function cutDetails({ details, unlisted }: DomainError): ErrorDetail[] {
  const listed = details.slice(0, limits.errorDetails);
  return countedDetails(listed, details.length - listed.length + unlisted);
}
