import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/platform/errors/domain-error";

/** Reads a file from its start, as often as it is called. */
export type OpenFile = () => Promise<AsyncIterable<Uint8Array>>;

/** The file of a task that reads none. */
export const nothingToRead: OpenFile = async () => (async function* () {})();

/** Work on a file that may be large. Input and output are plain data, so that another thread can do the work. */
type Task<I, O> = (input: I, open: OpenFile) => Promise<O>;

// biome-ignore lint/suspicious/noExplicitAny: tasks of every input and output
export type Tasks = Record<string, Task<any, any>>;

/** To the thread: a task to run, or the file that it asked for, chunk by chunk. */
export type ToThread =
  | { kind: "run"; task: string; input: unknown; isJob: boolean }
  | { kind: "chunk"; bytes: Uint8Array }
  | { kind: "end" }
  | { kind: "unreadable"; error: Thrown };

/** From the thread: a request for the file from its start or for its next chunk, or the outcome of the task. */
export type FromThread =
  | { kind: "open" }
  | { kind: "next" }
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: Thrown };

/** An error as plain data, since an error loses its class between threads. */
export type Thrown =
  | { rejection: Pick<DomainError, "code" | "message" | "details" | "unlisted" | "retryAfterSeconds"> }
  | { name: string; message: string; stack: string | undefined; code: unknown; cause: Thrown | undefined };

/** Returns an error as plain data. A `DomainError` keeps the details that a response lists, and the count of the rest. */
export function asData(thrown: unknown): Thrown {
  if (thrown instanceof DomainError) {
    const { code, message, retryAfterSeconds } = thrown;
    const details = thrown.details.slice(0, limits.errorDetails);
    const unlisted = thrown.unlisted + thrown.details.length - details.length;
    return { rejection: { code, message, details, unlisted, retryAfterSeconds } };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause instanceof Error ? asData(error.cause) : undefined;
  return { name: error.name, message: error.message, stack: error.stack, code, cause };
}

/** Restores the error of `asData`. */
export function asError(thrown: Thrown): Error {
  if ("rejection" in thrown) {
    const { code, message, details, unlisted, retryAfterSeconds } = thrown.rejection;
    return new DomainError(code, message, {
      details,
      unlisted,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  const { message, cause, ...rest } = thrown;
  return Object.assign(new Error(message, cause && { cause: asError(cause) }), rest);
}
