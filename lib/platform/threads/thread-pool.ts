import { MessageChannel, Worker } from "node:worker_threads";
import { currentWork } from "#lib/platform/concurrency/current-work";
import type { Slots } from "#lib/platform/concurrency/slots";
import { answerThread } from "./main-thread-calls.ts";
import {
  asData,
  asError,
  type FromThread,
  nothingToRead,
  type OpenFile,
  type Thrown,
  type ToThread,
} from "./messages.ts";
import type { ThreadData } from "./thread.ts";

type ThreadSettings = {
  /** Source file below `lib` that exports `tasks`, relative to `beside`: the `import.meta.url` of the caller. */
  module: string;
  beside: string;
  /** Bounds the number of running threads, and the queue for them. */
  slots: Slots;
  /** Heap of a thread in megabytes. Columns of numbers lie outside of the heap. */
  heapMb: number;
  /** Time in milliseconds that a thread stays for the next task; 0 ends it with its task. */
  idleMs: number;
};

type ThreadWork = {
  task: string;
  /** Plain data; the thread receives a copy. */
  input: unknown;
  /** File that the task reads. */
  open?: OpenFile | undefined;
  /** Leaves the queue. A running task of a thread that does not stay is stopped; other tasks run to their end. */
  signal?: AbortSignal | undefined;
};

/** Time in milliseconds that a stopped task has to clean up. */
const STOP_GRACE_MS = 1_000;

/** Runs the tasks of a module in worker threads, one task per thread at a time. */
export class ThreadPool {
  readonly #settings: ThreadSettings;
  /** Threads without a task, and the timer that ends each. The one that ran last comes last. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  /**
   * Runs a task and returns its result.
   *
   * @throws the error of the task; the reason of `signal`
   * @throws {DomainError} service_unavailable if too many tasks wait
   * @throws {Error} ERR_WORKER_OUT_OF_MEMORY if the task needs more memory than `heapMb`
   */
  async run({ task, input, open = nothingToRead, signal }: ThreadWork): Promise<unknown> {
    const { slots, idleMs } = this.#settings;
    const { projectId = null, isJob = false } = currentWork() ?? {};
    using _slot = await slots.acquire(signal, projectId);
    const worker = this.#takeIdle() ?? this.#start();
    let isReusable = false;
    try {
      worker.ref();
      worker.postMessage({ kind: "run", task, input, isJob } satisfies ToThread);
      const outcome = await follow(worker, open, idleMs === 0 ? signal : undefined);
      isReusable = idleMs > 0;
      if ("error" in outcome) throw signal?.aborted && idleMs === 0 ? signal.reason : asError(outcome.error);
      return outcome.output;
    } finally {
      if (isReusable) this.#rest(worker);
      else await worker.terminate();
    }
  }

  #start(): Worker {
    const { module, beside, heapMb } = this.#settings;
    const { port1, port2: calls } = new MessageChannel();
    answerThread(port1);
    const worker = new Worker(threadFile(beside), {
      workerData: { module: new URL(module, beside).href, calls } satisfies ThreadData,
      transferList: [calls],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
    });
    return worker.on("error", () => {}).on("exit", () => this.#forget(worker));
  }

  /** Takes the thread that ran last, because its caches are warm. */
  #takeIdle(): Worker | undefined {
    const worker = [...this.#idle.keys()].at(-1);
    if (worker !== undefined) this.#forget(worker);
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    const end = () => {
      // Before it ends, because that takes a moment in which a task could arrive.
      this.#forget(worker);
      void worker.terminate();
    };
    this.#idle.set(worker, setTimeout(end, this.#settings.idleMs).unref());
  }

  #forget(worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
  }
}

/**
 * Returns the address of thread.ts beside the other sources. It is computed when a thread starts: Next.js would bundle
 * a constant address, and the bundle of a thread cannot import source files.
 */
function threadFile(beside: string): URL {
  return new URL(`${beside.slice(0, beside.lastIndexOf("/lib/"))}/lib/platform/threads/thread.ts`);
}

type Outcome = { output: unknown } | { error: Thrown };

/** Sends the file that the thread asks for, until the task is done. */
async function follow(worker: Worker, open: OpenFile, signal: AbortSignal | undefined): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  let chunks: AsyncIterator<Uint8Array> | undefined;
  const sendNext = async (fromStart: boolean) => {
    try {
      if (fromStart) {
        await chunks?.return?.();
        chunks = (await open())[Symbol.asyncIterator]();
      }
      const { done, value } = await chunks!.next();
      signal?.throwIfAborted();
      if (done) return worker.postMessage({ kind: "end" } satisfies ToThread);
      // A copy, because the transfer of a part of a larger buffer takes the whole buffer.
      const bytes = new Uint8Array(value);
      worker.postMessage({ kind: "chunk", bytes } satisfies ToThread, [bytes.buffer]);
    } catch (cause) {
      worker.postMessage({ kind: "unreadable", error: asData(cause) } satisfies ToThread);
    }
  };
  const onMessage = (message: FromThread) => {
    if (message.kind === "done") resolve({ output: message.output });
    else if (message.kind === "failed") resolve({ error: message.error });
    else void sendNext(message.kind === "open");
  };
  const onExit = (code: number) => reject(new Error(`A thread ended with code ${code}.`));
  worker.on("message", onMessage).on("error", reject).on("exit", onExit);
  // The next chunk that the thread asks for ends the task in order. A task that asks for none is ended from here.
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
    worker.off("message", onMessage).off("error", reject).off("exit", onExit);
    await chunks?.return?.();
  }
}
