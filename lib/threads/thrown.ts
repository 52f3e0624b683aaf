import { DomainError } from "#lib/errors/domain-error";
import type { Thrown } from "./task.ts";

/** Errors lose their class on the way to another thread: this is what goes there. */
export function asData(cause: unknown): Thrown {
  if (cause instanceof DomainError) {
    const { code, message, details, unlisted } = cause;
    return { refusal: { code, message, details, unlisted } };
  }
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { code } = error as NodeJS.ErrnoException;
  return { name: error.name, message: error.message, stack: error.stack, code };
}

export function asError(thrown: Thrown): Error {
  if ("refusal" in thrown) {
    const { code, message, ...rest } = thrown.refusal;
    return new DomainError(code, message, rest);
  }
  const { message, ...rest } = thrown;
  return Object.assign(new Error(message), rest);
}
