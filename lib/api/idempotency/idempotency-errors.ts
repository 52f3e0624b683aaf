import { limits } from "#lib/contract/limits";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";

const field = "Idempotency-Key";

export function inProgressError(): DomainError {
  const message =
    "The first request with this Idempotency-Key is still running. Wait, then send the request again.";
  return new DomainError("idempotency_in_progress", message, {
    details: [{ field, code: "idempotency_in_progress", message }],
    retryAfterSeconds: 1,
  });
}

export function mismatchError(): DomainError {
  const message =
    "This Idempotency-Key was used with a different request. Use a new key for a new request, or repeat the first request unchanged.";
  return issueError("idempotency_mismatch", { field, code: "idempotency_mismatch", message });
}

/** The request must not run again, because the first one has created its resource. */
export function unreadableError(): DomainError {
  const message =
    "The first request with this Idempotency-Key succeeded, but its response cannot be shown again, because AUTH_SECRET of the service has changed since. Look for what it created before you send a new request with a new key.";
  return issueError("idempotency_mismatch", { field, code: "response_unreadable", message });
}

export function wrongLengthError(length: number): DomainError {
  const message = `The header Idempotency-Key must have 1 to ${limits.idempotencyKeyMax} characters.`;
  return issueError("validation_failed", { field, code: length === 0 ? "too_small" : "too_big", message });
}
