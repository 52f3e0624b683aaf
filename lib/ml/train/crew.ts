import { type Shard, type Step, shardOf } from "./shard.ts";
import type { TrainingMemory } from "./shared-memory.ts";

/** Those who do the steps of training. */
export type Crew = {
  shards: Shard[];
  /**
   * Does a step on all shards; `size` tells how much work it is, about one for each bin that is looked at. What is
   * counted is added to the histogram.
   */
  perform(step: Step, size: number, histogram?: Float64Array): void;
  /** Ends the threads. */
  end(): void;
};

const NOTHING = new Float64Array(0);

export function startCrew(memory: TrainingMemory): Crew {
  const shards = memory.shards.map((_, index) => shardOf(memory, index));
  return {
    shards,
    perform(step, _size, histogram = NOTHING) {
      for (const shard of shards) shard.perform(step, histogram);
    },
    end() {},
  };
}
