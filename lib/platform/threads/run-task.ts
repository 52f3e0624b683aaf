import { availableParallelism } from "node:os";
import { Slots } from "#lib/platform/concurrency/slots";
import { issueError } from "#lib/platform/errors/domain-error";
import { perProcess } from "#lib/platform/process/per-process";
import { nothingToRead, type OpenFile, type Tasks } from "./messages.ts";
import { ThreadPool } from "./thread-pool.ts";

type Work = {
  /** Bytes that the task reads and makes. A small task without a file runs in the calling thread. */
  bytes: number;
  /** Text file that the task reads. */
  open?: OpenFile;
  /** Stops the task. */
  signal?: AbortSignal | undefined;
};

/** A task of this size blocks other requests for some tens of milliseconds; starting a thread takes longer. */
const HERE_BYTES = 1 << 19;
/** The same of a text file, whose columns cost more than its bytes: 500 KB with 20,000 columns take 0.6 s. */
const HERE_FILE_BYTES = 1 << 12;
/** Threads for files of less than `HERE_BYTES` stay, because such files are frequent. */
const SMALL_FILE_IDLE_MS = 60_000;

type TaskModule = {
  /** Source file that exports `tasks`, relative to `beside`, which is the `import.meta.url` of the caller. */
  module: string;
  beside: string;
  /** Heap of a thread in megabytes; it holds the texts of categories, for example. */
  heapMb?: number;
  /** Time in milliseconds that a thread stays for the next task. By default, it ends with its task and frees its memory. */
  idleMs?: number;
  /** Limits the threads. By default, all large tasks share the same slots. */
  slots?: () => Slots;
};

/** At least two threads, so that one large file does not hold up all others. */
const sharedSlots = perProcess("threadSlots", () => {
  const atOnce = Math.min(4, Math.max(2, availableParallelism() - 1));
  return new Slots({ atOnce, waiting: 50, waitMs: 120_000 });
});

/** Apart from those of large tasks, so that a small file does not wait for the large files of others. */
const smallFileSlots = perProcess("smallFileSlots", () => {
  const atOnce = Math.min(4, Math.max(2, availableParallelism() - 1));
  return new Slots({ atOnce, waiting: 200, waitMs: 60_000 });
});

/**
 * Returns a function that runs tasks in threads, except those that take less time than a thread. Both run the same code,
 * so results and errors are the same.
 *
 * The function throws the error of the task; {DomainError} input_invalid if a file needs more memory than a thread has;
 * {DomainError} service_unavailable if too many tasks wait; the reason of `signal`.
 */
export function taskRunner<T extends Tasks>(
  tasks: T,
  { module, beside, heapMb = 1_024, idleMs = 0, slots = sharedSlots }: TaskModule,
) {
  const threadsFor = (work: string, slots: () => Slots, idleMs: number) =>
    perProcess(
      `${work} of ${module} in ${heapMb} MB`,
      () => new ThreadPool({ module, beside, slots: slots(), heapMb, idleMs }),
    );
  const smallFiles = threadsFor("small files", smallFileSlots, SMALL_FILE_IDLE_MS);
  const large = threadsFor("large tasks", slots, idleMs);
  return async <N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    { bytes, open = nothingToRead, signal }: Work,
  ): Promise<Awaited<ReturnType<T[N]>>> => {
    const hereBytes = open === nothingToRead ? HERE_BYTES : HERE_FILE_BYTES;
    if (bytes <= hereBytes && !(await isPacked(open)))
      return (await tasks[task]!(input, open)) as Awaited<ReturnType<T[N]>>;
    const pool = bytes <= HERE_BYTES ? smallFiles() : large();
    const output = await pool.run({ task, input, open, signal }).catch(withMemoryError);
    return output as Awaited<ReturnType<T[N]>>;
  };
}

/** First bytes of a ZIP archive, and of a Parquet file. */
const PACKED = [
  [0x50, 0x4b],
  [0x50, 0x41, 0x52, 0x31, 0x15],
];

/** Returns whether a file is a workbook or a Parquet file: it may have a thousand times as many bytes as it seems. */
async function isPacked(open: OpenFile): Promise<boolean> {
  if (open === nothingToRead) return false;
  for await (const head of await open())
    return PACKED.some((start) => start.every((byte, at) => head[at] === byte));
  return false;
}

/** Messages of the engine for a map, an array or a text that is larger than its limits. */
const overflows =
  /^(Map maximum size exceeded|Array buffer allocation failed|Invalid (string|array|typed array) length)/;

function withMemoryError(cause: NodeJS.ErrnoException): never {
  if (cause.code !== "ERR_WORKER_OUT_OF_MEMORY" && !overflows.test(cause.message)) throw cause;
  const message = "The file needs too much memory. Remove rows, or text columns that only name rows.";
  throw issueError("input_invalid", { code: "too_much_memory", message }, cause);
}
