import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/platform/errors/domain-error";
import type { Thrown } from "#lib/threads/task";

/**
 * Errors lose their class on the way to another thread: this is what goes there. Of a refusal as many details as are
 * listed, the others as their number.
 */
export function asData(thrown: unknown): Thrown {
  if (thrown instanceof DomainError) {
    const { code, message, retryAfterSeconds } = thrown;
    const details = thrown.details.slice(0, limits.errorDetails);
    const unlisted = thrown.unlisted + thrown.details.length - details.length;
    return { refusal: { code, message, details, unlisted, retryAfterSeconds } };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause instanceof Error ? asData(error.cause) : undefined;
  return { name: error.name, message: error.message, stack: error.stack, code, cause };
}

export function asError(thrown: Thrown): Error {
  if ("refusal" in thrown) {
    const { code, message, details, unlisted, retryAfterSeconds } = thrown.refusal;
    return new DomainError(code, message, {
      details,
      unlisted,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  const { message, cause, ...rest } = thrown;
  return Object.assign(new Error(message, cause && { cause: asError(cause) }), rest);
}
