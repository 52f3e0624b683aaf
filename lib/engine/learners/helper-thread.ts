import { workerData } from "node:worker_threads";
import { DONE, END, ORDERED, readStep, setCell, waitWhile } from "./helper-protocol.ts";
import { shardOf } from "./shard.ts";
import type { TrainingMemory } from "./shared-memory.ts";

export type HelperData = { memory: TrainingMemory; index: number; cells: Int32Array; step: Float64Array };

/** Performs the steps of its shard one after the other until END. */
function help({ memory, index, cells, step }: HelperData): void {
  const shard = shardOf(memory, index);
  const { histogram } = memory.shards[index]!;
  for (let done = 0; done !== END; done = waitWhile(cells, ORDERED, done)) {
    if (done > 0) {
      histogram.fill(0);
      shard.perform(readStep(step), histogram);
    }
    setCell(cells, DONE, done);
  }
}

help(workerData as HelperData);
