import { Worker } from "node:worker_threads";
import { TrainingCancelled, TrainingImpossible } from "#lib/engine/learners/training-errors";
import { bufferOf } from "#lib/engine/table/columns";
import type { FitInput } from "./fit-input.ts";
import type { FitMessage, FitOrder, PartAnswer } from "./fit-worker.ts";
import type { FittedModel } from "./model-summary.ts";
import type { FitOfParts, PartRequest } from "./panel-parts.ts";
import type { FitStage } from "./train-finalists.ts";

type ThreadOptions = {
  onProgress?: ((fraction: number, stage: FitStage, message: string) => void) | undefined;
  /** Aborting stops the training soon, such as at the next tree; the promise then rejects with TrainingCancelled. */
  signal?: AbortSignal | undefined;
  /** Whether the caller no longer reads the table, so its memory can move to the thread. */
  isSpent?: boolean | undefined;
  /** Fits parts of many series elsewhere. An error, such as the reason of `signal`, fails the training. */
  fitParts?: FitOfParts | undefined;
};

/** Time limit for a thread to stop; then it is terminated. */
const STOP_GRACE_MS = 1_000;
/** Time that a thread stays for the next training. Loading the engine takes as long as a short training. */
const IDLE_MS = 5_000;

const idle: Worker[] = [];

/**
 * Runs `fitModel` in a worker thread, so that the calling thread stays responsive. Returns the same result and throws
 * the same errors. The input's table is copied to the thread, unless `isSpent`. A thread runs one training at a time, and waits
 * `IDLE_MS` for the next one. After many series it ends at once, because the garbage collector would not free their rows in time.
 */
export async function fitInThread(input: FitInput, options: ThreadOptions = {}): Promise<FittedModel> {
  const { signal, onProgress, fitParts, isSpent = false } = options;
  if (signal?.aborted) throw new TrainingCancelled();
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  const worker = idle.pop() ?? startThread();
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<FittedModel>();
  let isReusable = false;
  const answer = async (request: PartRequest) => {
    const answered = await fitParts!(request).then(
      (found): PartAnswer => ({ kind: "part", found }),
      (cause: unknown): PartAnswer => {
        reject(cause);
        return { kind: "part-failed", message: String(cause) };
      },
    );
    worker.postMessage(answered);
  };
  const onMessage = (message: FitMessage) => {
    if (message.kind === "part") return void answer(message.request);
    if (message.kind === "progress") {
      onProgress?.(message.fraction, message.stage, message.message);
      return;
    }
    isReusable = !signal?.aborted && input.series === undefined;
    if (message.kind === "fitted") resolve(message.fitted);
    else reject(reviveError(message.name, message.message, message.stack));
  };
  const onExit = (code: number) => {
    const message = `The training thread ended unexpectedly with code ${code}.`;
    reject(signal?.aborted ? new TrainingCancelled() : new Error(message));
  };
  worker.on("message", onMessage).on("error", reject).on("exit", onExit);
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    Atomics.store(stopFlag, 0, 1);
    grace = setTimeout(() => void worker.terminate(), STOP_GRACE_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const order: FitOrder = { input, stopFlag, hasParts: fitParts !== undefined };
    worker.postMessage(order, isSpent ? [...new Set(input.table.columns.map(bufferOf))] : []);
    return await promise;
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
    worker.off("message", onMessage).off("error", reject).off("exit", onExit);
    if (isReusable) keepThread(worker);
    else await worker.terminate();
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL("./fit-worker.ts", import.meta.url));
  return worker.on("error", () => {}).on("exit", () => forgetIdle(worker));
}

function keepThread(worker: Worker): void {
  worker.unref();
  idle.push(worker);
  setTimeout(() => {
    if (forgetIdle(worker)) void worker.terminate();
  }, IDLE_MS).unref();
}

/** Returns whether the thread was idle. */
function forgetIdle(worker: Worker): boolean {
  const at = idle.indexOf(worker);
  if (at >= 0) idle.splice(at, 1);
  return at >= 0;
}

/** Restores the class of a known error, which crosses the thread boundary as plain data. */
function reviveError(name: string, message: string, stack: string | undefined): Error {
  if (name === "TrainingImpossible") return new TrainingImpossible(message);
  if (name === "TrainingCancelled") return new TrainingCancelled();
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
