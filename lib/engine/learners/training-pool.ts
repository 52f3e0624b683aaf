import os from "node:os";
import { Worker } from "node:worker_threads";
import type { ForemanData } from "#lib/ml/train/foreman-thread";
import { DONE, END, FAILED, NOT_STARTED, ORDERED, setCell, waitWhile } from "#lib/ml/train/helper-cells";
import { STEP_LENGTH, writeStep } from "./helper-protocol.ts";
import type { HelperData } from "./helper-thread.ts";
import { mergeHistogram } from "./histogram.ts";
import { type Shard, type Step, shardOf } from "./shard.ts";
import type { TrainingMemory } from "./shared-memory.ts";

/** Those who do the steps of training: this thread, and a helper for each further shard. */
export type Crew = {
  shards: Shard[];
  /**
   * Does a step on all shards; `size` tells how much work it is, about one for each bin that is looked at. What is
   * counted is added to the histogram.
   */
  perform(step: Step, size: number, histogram?: Float64Array): void;
  /** Tells the threads to end; resolves when they have. */
  end(): Promise<unknown>;
};

/** More do not help: each step waits for the slowest, and this thread alone chooses the splits. */
const THREADS_MAX = 8;
/** Bins looked at in all of training, below which starting threads takes longer than they save. */
const SHARED_TRAINING_MIN = 100_000_000;
/** Bins that a round looks at, below which the threads wait for each other longer than they work. */
const SHARED_ROUND_MIN = 1_000_000;
/** Smaller steps this thread does alone, on all shards: telling the others would take longer. */
const SHARED_STEP_MIN = 40_000;
/** A thread that has not started by then is done without. */
const START_MS = 10_000;

const NOTHING = new Float64Array(0);

/** How many threads train best on so much data. */
export function threadsFor(rows: number, columns: number, rounds: number): number {
  const isSmall = rows * columns < SHARED_ROUND_MIN || rows * columns * rounds < SHARED_TRAINING_MIN;
  return isSmall ? 1 : Math.min(THREADS_MAX, os.availableParallelism());
}

/**
 * The threads wait for each other without an event loop, so that training stays one function call.
 *
 * @param entry source file of the helpers
 */
export function startCrew(
  memory: TrainingMemory,
  entry = new URL("./helper-thread.ts", import.meta.url).href,
): Crew {
  const shards = memory.shards.map((_, index) => shardOf(memory, index));
  const step = new Float64Array(new SharedArrayBuffer(8 * STEP_LENGTH));
  const started = shards.slice(1).map((_, at) => helperData(memory, at + 1, step));
  const ended = startForeman({ entry, helpers: started });
  const helpers = started.filter(({ cells }) => waitWhile(cells, DONE, NOT_STARTED, START_MS) === 0);
  const own = shards.filter((_, index) => helpers.every((helper) => helper.index !== index));
  let ordered = 0;

  function performTogether(next: Step, histogram: Float64Array): void {
    writeStep(step, next);
    ordered++;
    for (const { cells } of helpers) setCell(cells, ORDERED, ordered);
    for (const shard of own) shard.perform(next, histogram);
    for (const { cells, index } of helpers) {
      if (waitWhile(cells, DONE, ordered - 1) === FAILED) throw new Error("A training thread has ended.");
      if (histogram !== NOTHING) mergeHistogram(histogram, memory.shards[index]!.histogram);
    }
  }

  return {
    shards,
    perform(next, size, histogram = NOTHING) {
      if (helpers.length > 0 && size >= SHARED_STEP_MIN) performTogether(next, histogram);
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

/** @returns resolves when the helpers have ended */
async function startForeman(workerData: ForemanData): Promise<unknown> {
  if (workerData.helpers.length === 0) return;
  const foreman = new Worker(new URL("../../ml/train/foreman-thread.ts", import.meta.url), { workerData });
  // A helper that cannot be started is done without.
  foreman.on("error", () => {});
  foreman.unref();
  return new Promise((resolve) => foreman.once("exit", resolve));
}
