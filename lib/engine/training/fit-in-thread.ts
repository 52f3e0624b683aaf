import { Worker } from "node:worker_threads";
import { TrainingCancelled, TrainingImpossible } from "#lib/engine/learners/training-errors";
import type { FitInput } from "./fit-model.ts";
import type { FitMessage, FitWorkerData } from "./fit-worker.ts";
import type { FittedModel } from "./model-summary.ts";
import type { FitStage } from "./train-finalists.ts";

type ThreadOptions = {
  onProgress?: ((fraction: number, stage: FitStage, message: string) => void) | undefined;
  /** Aborting stops the training at the next tree; the promise then rejects with TrainingCancelled. */
  signal?: AbortSignal | undefined;
};

/** Time limit for a thread to stop; then it is terminated. */
const STOP_GRACE_MS = 1_000;

/**
 * Runs `fitModel` in a worker thread, so that the calling thread stays responsive. Returns the same result and throws
 * the same errors. The input's table is copied to the thread.
 */
export async function fitInThread(input: FitInput, options: ThreadOptions = {}): Promise<FittedModel> {
  const { signal, onProgress } = options;
  if (signal?.aborted) throw new TrainingCancelled();
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  const workerData: FitWorkerData = { input, stopFlag };
  const worker = new Worker(new URL("./fit-worker.ts", import.meta.url), { workerData });
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    Atomics.store(stopFlag, 0, 1);
    grace = setTimeout(() => void worker.terminate(), STOP_GRACE_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<FittedModel>((resolve, reject) => {
      worker.on("message", (message: FitMessage) => {
        if (message.kind === "progress") onProgress?.(message.fraction, message.stage, message.message);
        else if (message.kind === "fitted") resolve(message.fitted);
        else reject(reviveError(message.name, message.message, message.stack));
      });
      worker.on("error", reject);
      worker.on("exit", (code) => {
        reject(
          signal?.aborted
            ? new TrainingCancelled()
            : new Error(`The training thread ended unexpectedly with code ${code}.`),
        );
      });
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
    await worker.terminate();
  }
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
