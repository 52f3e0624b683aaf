import type { DomainError } from "#lib/platform/errors/domain-error";

/** Reads a file from its start, as often as it is called. */
export type OpenFile = () => Promise<AsyncIterable<Uint8Array>>;

/** Work on a file that may be large. Input and output are plain data, so that they can go to another thread. */
export type Task<I, O> = (input: I, open: OpenFile) => Promise<O>;

// biome-ignore lint/suspicious/noExplicitAny: tasks of every input and output
export type Tasks = Record<string, Task<any, any>>;

/** What a thread is started with. */
export type TaskStart = { task: string; input: unknown };

/** To the thread: the file that it asked for, chunk by chunk. */
export type ToThread =
  | { kind: "chunk"; bytes: Uint8Array }
  | { kind: "end" }
  | { kind: "unreadable"; error: Thrown };

/** From the thread: that it wants the file from its start, the next chunk of it, or that it is done. */
export type FromThread =
  | { kind: "open" }
  | { kind: "next" }
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: Thrown };

/** An error as plain data: a refusal with all that it says, anything else with name, stack and what caused it. */
export type Thrown =
  | { refusal: Pick<DomainError, "code" | "message" | "details" | "unlisted" | "retryAfterSeconds"> }
  | { name: string; message: string; stack: string | undefined; code: unknown; cause: Thrown | undefined };
