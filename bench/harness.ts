import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Collects garbage before each timing, so that no contender pays for the garbage of another.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

export type Settings = {
  /** Uses small sizes to check that everything runs. The numbers then mean little. */
  quick: boolean;
  /** Number of measured rounds. */
  rounds: number;
  /** Seed of the synthetic data. The same seed gives the same data on every machine. */
  seed: number;
  /** Writes a line about the progress to standard error. */
  log(text: string): void;
};

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
 * ratios, not the ratio of the medians, because other load often lasts for one round and then slows down both. For
 * example, rounds of 10 and 20 ms, 40 and 80 ms, 10 and 20 ms have the ratios .5, .5 and .5.
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

/** Results that are not times: the title of a table, the titles of its columns, and rows of text. */
export type Figures = { what: string; table: { title: string; titles: string[]; rows: string[][] } };

/** Skipped measurement; `skipped` holds the reason or a hint how to enable it. */
export type Skipped = { what: string; skipped: string };

/** Yields each result as soon as it is available. */
export type Benchmark = (settings: Settings) => AsyncGenerator<Measurement | Figures | Skipped>;

/**
 * Measures all contenders in each round, after a warm-up round that does not count. Each round reverses the order of
 * the previous one. Other load on the machine therefore affects all contenders alike.
 */
export async function measure(comparison: {
  what: string;
  ours: Contender;
  others: Contender[];
  rounds: number;
}): Promise<Measurement> {
  const { what, ours, others, rounds } = comparison;
  const contenders = [ours, ...others];
  const times = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    const order = [...contenders.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      collectGarbage();
      const ms = await timeOf(contenders[index]!);
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

async function timeOf({ run, ownMs }: Contender): Promise<number> {
  const start = performance.now();
  await run();
  return ownMs ? ownMs() : performance.now() - start;
}

function ratioOf(ours: readonly number[], others: readonly number[]): Ratio {
  const ratios = ours.map((ms, round) => ms / others[round]!);
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** Returns the median; for an even number of values, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Creates a folder that is removed at the end of the block that declares it with `using`. */
export function temporaryFolder(): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "forkcast-bench-"));
  chmodSync(folder, 0o755); // PostgreSQL's user needs access. Otherwise its files are stored elsewhere and remain.
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const buildId = path.join(import.meta.dirname, "..", ".next", "BUILD_ID");

/** Returns a benchmark of the service that is skipped unless the web pages are built. */
export const ofService = (run: Benchmark): Benchmark =>
  async function* (settings) {
    if (existsSync(buildId)) yield* run(settings);
    else yield { what: "the service", skipped: "the web pages are not built: npm run build" };
  };
