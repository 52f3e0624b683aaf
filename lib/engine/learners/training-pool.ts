import os from "node:os";
import { Worker } from "node:worker_threads";
import type { CoordinatorData } from "./coordinator-thread.ts";
import {
  DONE,
  END,
  FAILED,
  NOT_STARTED,
  ORDERED,
  STEP_LENGTH,
  setCell,
  waitWhile,
  writeStep,
} from "./helper-protocol.ts";
import type { HelperData } from "./helper-thread.ts";
import { mergeHistogram } from "./histogram.ts";
import { type Shard, type Step, shardOf } from "./shard.ts";
import type { TrainingMemory } from "./shared-memory.ts";

/** Threads that perform training steps: the calling thread, and one helper for each further shard. */
export type TrainingPool = {
  shards: Shard[];
  /**
   * Performs a step on all shards and adds the counts to the histogram. `size` is the amount of work: about one per
   * bin read.
   */
  perform(step: Step, size: number, histogram?: Float64Array): void;
  /** Stops the threads; resolves when they have ended. */
  end(): Promise<unknown>;
};

/** More threads do not help: each step waits for the slowest, and only the calling thread chooses the splits. */
const THREADS_MAX = 8;
/** Total bin reads below which starting threads takes longer than it saves. */
const SHARED_TRAINING_MIN = 100_000_000;
/** Bin reads per round below which the threads wait for each other longer than they work. */
const SHARED_ROUND_MIN = 1_000_000;
/** Size below which the calling thread performs a step alone, on all shards: synchronising would take longer. */
const SHARED_STEP_MIN = 40_000;
/** Time limit for a thread to start; training proceeds without threads that miss it. */
const START_MS = 10_000;

const NOTHING = new Float64Array(0);

/** Returns the fastest number of threads for data of this size. */
export function threadsFor(rows: number, columns: number, rounds: number): number {
  const isSmall = rows * columns < SHARED_ROUND_MIN || rows * columns * rounds < SHARED_TRAINING_MIN;
  return isSmall ? 1 : Math.min(THREADS_MAX, os.availableParallelism());
}

/**
 * Starts the threads. They wait for each other without an event loop, so that training stays a synchronous call.
 *
 * @param entry source file of the helpers
 */
export function startTrainingPool(
  memory: TrainingMemory,
  entry = new URL("./helper-thread.ts", import.meta.url).href,
): TrainingPool {
  const shards = memory.shards.map((_, index) => shardOf(memory, index));
  const step = new Float64Array(new SharedArrayBuffer(8 * STEP_LENGTH));
  const started = shards.slice(1).map((_, at) => helperData(memory, at + 1, step));
  const ended = startCoordinator({ entry, helpers: started });
  const helpers = started.filter(({ cells }) => waitWhile(cells, DONE, NOT_STARTED, START_MS) === 0);
  const localShards = shards.filter((_, index) => helpers.every((helper) => helper.index !== index));
  let ordered = 0;

  function performOnAllThreads(next: Step, histogram: Float64Array): void {
    writeStep(step, next);
    ordered++;
    for (const { cells } of helpers) setCell(cells, ORDERED, ordered);
    for (const shard of localShards) shard.perform(next, histogram);
    for (const { cells, index } of helpers) {
      if (waitWhile(cells, DONE, ordered - 1) === FAILED)
        throw new Error("A training thread ended unexpectedly.");
      if (histogram !== NOTHING) mergeHistogram(histogram, memory.shards[index]!.histogram);
    }
  }

  return {
    shards,
    perform(next, size, histogram = NOTHING) {
      if (helpers.length > 0 && size >= SHARED_STEP_MIN) performOnAllThreads(next, histogram);
      else for (const shard of shards) shard.perform(next, histogram);
    },
    end() {
      for (const { cells } of started) setCell(cells, ORDERED, END);
      return ended;
    },
  };
}

function helperData(memory: TrainingMemory, index: number, step: Float64Array): HelperData {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  cells[DONE] = NOT_STARTED;
  return { memory, index, cells, step };
}

/** Starts the helpers. Resolves when they have ended. */
async function startCoordinator(workerData: CoordinatorData): Promise<unknown> {
  if (workerData.helpers.length === 0) return;
  const coordinator = new Worker(new URL("./coordinator-thread.ts", import.meta.url), { workerData });
  // Training proceeds without helpers that cannot start.
  coordinator.on("error", () => {});
  coordinator.unref();
  return new Promise((resolve) => coordinator.once("exit", resolve));
}
