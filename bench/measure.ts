import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "./median.ts";

// So that no contender clears away what another one left.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** One way of doing a thing: `run` does it once. */
export type Contender = {
  name: string;
  run(): unknown;
  /** Where the clock of this process would measure more than the thing itself: the milliseconds of the latest run. */
  ownMs?(): number;
};

export type Timing = { name: string; medianMs: number };

/**
 * Of ours to the other, each from the same rounds: below 1 ours is faster. The median of the rounds' ratios, not the
 * ratio of the medians, so that a round in which the machine was busy counts once.
 */
export type Ratio = { median: number; least: number; most: number };

export type Measurement = {
  what: string;
  ours: Timing;
  others: (Timing & { ratio: Ratio })[];
  rounds: number;
  /** What the times alone do not tell: sizes, errors. */
  note?: string;
};

export type Comparison = {
  what: string;
  ours: Contender;
  others: Contender[];
  rounds: number;
  /** How often a round repeats what is too short for the clock; times are given for one. Default 1. */
  repeat?: number;
};

/**
 * Runs all contenders in turn, round after round, each round in the reverse order of the one before, after one round
 * that does not count. What else the machine does meets all of them alike.
 */
export async function measure(comparison: Comparison): Promise<Measurement> {
  const { what, ours, others, rounds, repeat = 1 } = comparison;
  const contenders = [ours, ...others];
  const times = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    const order = [...contenders.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      collectGarbage();
      const ms = await timeOf(contenders[index]!, repeat);
      if (round > 0) times[index]!.push(ms);
    }
  }
  const [oursMs, ...othersMs] = times;
  return {
    what,
    ours: { name: ours.name, medianMs: median(oursMs!) },
    others: others.map(({ name }, index) => ({
      name,
      medianMs: median(othersMs[index]!),
      ratio: ratioOf(oursMs!, othersMs[index]!),
    })),
    rounds,
  };
}

async function timeOf({ run, ownMs }: Contender, repeat: number): Promise<number> {
  const start = performance.now();
  let own = 0;
  for (let i = 0; i < repeat; i++) {
    await run();
    if (ownMs) own += ownMs();
  }
  return (ownMs ? own : performance.now() - start) / repeat;
}

export function ratioOf(ours: readonly number[], others: readonly number[]): Ratio {
  const ratios = ours.map((ms, round) => ms / others[round]!);
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
