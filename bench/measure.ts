import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "./median.ts";

// Collects garbage before each timing, so that no contender pays for the garbage of another.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** One of the implementations that are compared. */
export type Contender = {
  name: string;
  /** Does the measured work once. */
  run(): unknown;
  /** Milliseconds of the latest run, for a `run` that does more than the measured work. */
  ownMs?(): number;
};

type Timing = { name: string; medianMs: number };

/**
 * Our time divided by the other's time in the same round; below 1 ours is faster. The median is that of the rounds'
 * ratios, not the ratio of the medians. A round on a busy machine therefore counts only once.
 */
type Ratio = { median: number; least: number; most: number };

export type Measurement = {
  what: string;
  ours: Timing;
  others: (Timing & { ratio: Ratio })[];
  rounds: number;
  /** Results other than times, such as sizes and errors. */
  note?: string;
};

type Comparison = {
  what: string;
  ours: Contender;
  others: Contender[];
  rounds: number;
  /** Runs per round, default 1, for work that is too short for the clock. Reported times are per run. */
  repeat?: number;
};

/**
 * Measures all contenders in each round, after a warm-up round that does not count. Each round reverses the order of
 * the previous one. Other load on the machine therefore affects all contenders alike.
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
