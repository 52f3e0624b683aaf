import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Turns } from "#lib/platform/concurrency/slots";
import { DomainError } from "#lib/platform/errors/domain-error";
import { asData, asError } from "#lib/platform/threads/messages";
import type { FromThread, OpenFile, TaskStart, Tasks, Thrown, ToThread } from "./task.ts";

export type Work = {
  /** Bytes that are read or made, the file's and others: little is done here, without a thread. */
  bytes: number;
  /** Where a file is read. */
  open?: OpenFile;
  /** Ends the thread: whoever wanted the result has gone. */
  signal?: AbortSignal | undefined;
};

/** How long a thread that nobody needs any more may go on with what it is at. */
const STOP_GRACE_MS = 1_000;

/** Reading this much holds up other requests for some tens of milliseconds; starting a thread takes more than that. */
const HERE_BYTES = 1 << 19;

export type Thread = {
  /** The source file of the thread, which calls `serveTask` with the same tasks, and the module that it stands beside. */
  entry: string;
  beside: string;
  /** What it may hold besides the columns of numbers: texts of categories, mostly. */
  heapMb?: number;
};

const shared = globalThis as typeof globalThis & { threadTurns?: Turns };

/** Two at least, so that a large file does not hold up all others; who cannot begin within two minutes is told so. */
const turns = () =>
  (shared.threadTurns ??= new Turns({
    atOnce: Math.min(4, Math.max(2, availableParallelism() - 1)),
    waiting: 50,
    waitMs: 120_000,
  }));

/**
 * Makes a function that does tasks in threads of their own, a few at a time, and small ones here: the same code, and so
 * the same results and refusals.
 *
 * @returns throws what the task throws; {DomainError} input_invalid for a file that needs more memory than a thread has,
 *   service_unavailable where too many wait; the reason of `signal`
 */
export function taskRunner<T extends Tasks>(tasks: T, { entry, beside, heapMb = 1_024 }: Thread) {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 };
  return async <N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    { bytes, open = nothingToRead, signal }: Work,
  ): Promise<Awaited<ReturnType<T[N]>>> => {
    if (bytes <= HERE_BYTES) return (await tasks[task]!(input, open)) as Awaited<ReturnType<T[N]>>;
    using _turn = await turns().take(signal);
    const workerData: TaskStart = { task, input };
    // Run from its source like everything but the pages; an address written out here would be built into them.
    const worker = new Worker(new URL(entry, beside), { workerData, resourceLimits });
    try {
      return (await follow(worker, open, signal)) as Awaited<ReturnType<T[N]>>;
    } finally {
      await worker.terminate();
    }
  };
}

/** Gives a thread the file that it asks for, until it is done. */
async function follow(worker: Worker, open: OpenFile, signal: AbortSignal | undefined): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let chunks: AsyncIterator<Uint8Array> | undefined;
  const sendNext = async (fromStart: boolean) => {
    try {
      if (fromStart) chunks = await reopened(chunks, open);
      const { done, value } = await chunks!.next();
      signal?.throwIfAborted();
      if (done) return worker.postMessage({ kind: "end" } satisfies ToThread);
      // A copy: a piece of a larger array would take all of that along.
      const bytes = new Uint8Array(value);
      worker.postMessage({ kind: "chunk", bytes } satisfies ToThread, [bytes.buffer]);
    } catch (cause) {
      worker.postMessage({ kind: "unreadable", error: asData(cause) } satisfies ToThread);
    }
  };
  worker.on("message", (message: FromThread) => {
    if (message.kind === "done") resolve(message.output);
    else if (message.kind === "failed") reject(signal?.aborted ? signal.reason : failure(message.error));
    else void sendNext(message.kind === "open");
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch(error) : error),
  );
  worker.on("exit", (code) => reject(new Error(`A thread ended with code ${code}.`)));
  // The next chunk that the thread asks for ends it in order; where it asks for none it is ended from here.
  let late: NodeJS.Timeout | undefined;
  const abort = () => {
    late = setTimeout(() => reject(signal!.reason), STOP_GRACE_MS);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal?.removeEventListener("abort", abort);
    await chunks?.return?.();
  }
}

async function reopened(
  before: AsyncIterator<Uint8Array> | undefined,
  open: OpenFile,
): Promise<AsyncIterator<Uint8Array>> {
  await before?.return?.();
  return (await open())[Symbol.asyncIterator]();
}

/** What runs over in the engine itself: a map, an array or a text larger than it can make. */
const overflows =
  /^(Map maximum size exceeded|Array buffer allocation failed|Invalid (string|array|typed array) length)/;

function failure(thrown: Thrown): Error {
  const error = asError(thrown);
  return overflows.test(error.message) ? tooMuch(error) : error;
}

function tooMuch(cause: unknown): DomainError {
  const message =
    "The file needs more memory than is given to one. Leave out rows, or columns of texts that only name rows.";
  return new DomainError("input_invalid", message, {
    details: [{ code: "too_much_memory", message }],
    cause,
  });
}

const nothingToRead: OpenFile = async () => (async function* () {})();
