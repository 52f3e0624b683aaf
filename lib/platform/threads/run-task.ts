import { availableParallelism } from "node:os";
import { Slots } from "#lib/platform/concurrency/slots";
import { issueError } from "#lib/platform/errors/domain-error";
import { perProcess } from "#lib/platform/process/per-process";
import { nothingToRead, type OpenFile, type Tasks } from "./messages.ts";
import { ThreadPool } from "./thread-pool.ts";

type Work = {
  /** Bytes that the task reads and makes. A small task runs in the calling thread. */
  bytes: number;
  /** File that the task reads. */
  open?: OpenFile;
  /** Stops the task. */
  signal?: AbortSignal | undefined;
};

/** A task of this size blocks other requests for some tens of milliseconds; starting a thread takes longer. */
const HERE_BYTES = 1 << 19;

type TaskModule = {
  /** Source file that exports `tasks`, relative to `beside`, which is the `import.meta.url` of the caller. */
  module: string;
  beside: string;
  /** Heap of a thread in megabytes; it holds the texts of categories, for example. */
  heapMb?: number;
  /** Time in milliseconds that a thread stays for the next task. By default, it ends with its task and frees its memory. */
  idleMs?: number;
};

/** At least two threads, so that one large file does not hold up all others. */
const slots = perProcess("threadSlots", () => {
  const atOnce = Math.min(4, Math.max(2, availableParallelism() - 1));
  return new Slots({ atOnce, waiting: 50, waitMs: 120_000 });
});

/**
 * Returns a function that runs large tasks in threads, and small ones in the calling thread. Both run the same code, so
 * results and errors are the same.
 *
 * The function throws the error of the task; {DomainError} input_invalid if a file needs more memory than a thread has;
 * {DomainError} service_unavailable if too many tasks wait; the reason of `signal`.
 */
export function taskRunner<T extends Tasks>(
  tasks: T,
  { module, beside, heapMb = 1_024, idleMs = 0 }: TaskModule,
) {
  let pool: ThreadPool | undefined;
  return async <N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    { bytes, open = nothingToRead, signal }: Work,
  ): Promise<Awaited<ReturnType<T[N]>>> => {
    if (bytes <= HERE_BYTES) return (await tasks[task]!(input, open)) as Awaited<ReturnType<T[N]>>;
    pool ??= new ThreadPool({ module, beside, slots: slots(), heapMb, idleMs });
    const output = await pool.run({ task, input, open, signal }).catch(withMemoryError);
    return output as Awaited<ReturnType<T[N]>>;
  };
}

/** Messages of the engine for a map, an array or a text that is larger than its limits. */
const overflows =
  /^(Map maximum size exceeded|Array buffer allocation failed|Invalid (string|array|typed array) length)/;

function withMemoryError(cause: NodeJS.ErrnoException): never {
  if (cause.code !== "ERR_WORKER_OUT_OF_MEMORY" && !overflows.test(cause.message)) throw cause;
  const message = "The file needs too much memory. Remove rows, or text columns that only name rows.";
  throw issueError("input_invalid", { code: "too_much_memory", message }, cause);
}
