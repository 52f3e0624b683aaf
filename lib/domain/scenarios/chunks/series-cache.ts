import type { Database } from "#db/client";
import { perProcess } from "#lib/platform/process/per-process";
import {
  type Bounds,
  readBounds,
  readPoints,
  readShortRuns,
  requireComplete,
  type SharedTimes,
  type TimedPredictions,
} from "./read-predictions.ts";

/** Maximum memory for the series of all charts: three series of 10,000,000 rows with the same times, and some more. */
const BYTES_MAX = 384 * 1024 * 1024;

/** Memory of an entry besides its arrays: a project may have thousands of short runs. */
const ENTRY_BYTES = 1_000;

/** A run of a scenario. */
export type KnownScenario = { runId: string; jobId: string; rowCount: number | null };

type Cached = {
  series: Promise<TimedPredictions | Bounds>;
  /** Memory of its arrays once they are read. Scenarios with the same times share the array of times. */
  memory: ArrayBufferLike[];
};

/**
 * Series by key. Evicts the least recently used entry first. Counts its memory as entries come and go: a sum over all entries on
 * each call would make a read of one run as slow as the project has runs.
 */
class SeriesCache {
  readonly #entries = new Map<string, Cached>();
  /** Number of entries that hold an array. */
  readonly #holders = new Map<ArrayBufferLike, number>();
  #bytes = 0;

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string, read: () => Promise<TimedPredictions | Bounds>): Promise<TimedPredictions | Bounds> {
    const entry = this.#entries.get(key) ?? this.#begin(key, read());
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.series;
  }

  #begin(key: string, series: Cached["series"]): Cached {
    const entry: Cached = { series, memory: [] };
    this.#bytes += ENTRY_BYTES;
    series.then(
      (read) => {
        // Evicted while it was read.
        if (this.#entries.get(key) !== entry) return;
        entry.memory = Object.values(read).flatMap((values) => (values === null ? [] : [values.buffer]));
        for (const buffer of entry.memory) this.#hold(buffer);
        for (const [oldest, { memory }] of this.#entries) {
          if (this.#bytes <= BYTES_MAX) return;
          this.#remove(oldest, memory);
        }
      },
      () => {
        if (this.#entries.get(key) === entry) this.#remove(key, entry.memory);
      },
    );
    return entry;
  }

  #hold(buffer: ArrayBufferLike): void {
    const holders = this.#holders.get(buffer) ?? 0;
    this.#holders.set(buffer, holders + 1);
    if (holders === 0) this.#bytes += buffer.byteLength;
  }

  #remove(key: string, memory: readonly ArrayBufferLike[]): void {
    this.#entries.delete(key);
    this.#bytes -= ENTRY_BYTES;
    for (const buffer of memory) {
      const holders = this.#holders.get(buffer)! - 1;
      if (holders > 0) {
        this.#holders.set(buffer, holders);
        continue;
      }
      this.#holders.delete(buffer);
      this.#bytes -= buffer.byteLength;
    }
  }
}

const seriesOfProcess = perProcess("predictionSeries", () => new SeriesCache());

/**
 * Reads predictions and times of all rows. Caches them for the next zoom.
 *
 * @param times pass the same map to all calls of one request, so that equal times are read once
 * @throws {DomainError} scenario_not_found
 */
export function cachedPoints(
  db: Database,
  scenario: KnownScenario,
  times: SharedTimes = new Map(),
): Promise<TimedPredictions> {
  return cached(scenario, "points", async () => {
    const points = await readPoints(db, scenario.runId, scenario.rowCount ?? 0, times);
    requireComplete(points, scenario.rowCount ?? 0);
    return points;
  });
}

/**
 * Reads the bounds of all rows. Caches them as `cachedPoints` does.
 *
 * @throws {DomainError} scenario_not_found
 */
export function cachedBounds(db: Database, scenario: KnownScenario): Promise<Bounds> {
  return cached(scenario, "bounds", () =>
    readBounds(db, scenario.runId, { from: 0, to: scenario.rowCount ?? 0 }),
  );
}

/**
 * Caches by run and job, because the predictions of a completed job never change.
 *
 * @param part names the series
 */
export function cached<T extends TimedPredictions | Bounds>(
  run: KnownScenario,
  part: string,
  read: () => Promise<T>,
): Promise<T> {
  // The part says which of both it is.
  return seriesOfProcess().get(keyOf(run, part), read) as Promise<T>;
}

const keyOf = ({ runId, jobId }: KnownScenario, part: string) => `${runId} ${jobId} ${part}`;

/** Runs of more rows are read one by one. */
const SHORT_ROWS = 2_000;
/** Number of runs per statement, so that few long texts are in memory. */
const RUNS_MAX = 100;

/**
 * Caches the predictions and bounds of short runs, which the caller is about to read one run after another. One statement reads those
 * of many runs; otherwise a track record of 100 runs would wait for 200.
 *
 * @throws {DomainError} scenario_not_found if a run was deleted during the request
 */
export async function cacheShortRuns(db: Database, runs: readonly KnownScenario[]): Promise<void> {
  const cache = seriesOfProcess();
  const missing = runs.filter(
    (run) =>
      (run.rowCount ?? 0) <= SHORT_ROWS && ["points", "bounds"].some((part) => !cache.has(keyOf(run, part))),
  );
  // A single run takes as many statements by itself.
  if (missing.length < 2) return;
  for (let from = 0; from < missing.length; from += RUNS_MAX) {
    const some = missing.slice(from, from + RUNS_MAX);
    const found = await readShortRuns(db, some);
    for (const run of some) {
      const { timestamps, prediction, lower, upper } = found.get(run.runId)!;
      await cached(run, "points", async () => ({ timestamps, prediction }));
      await cached(run, "bounds", async () => ({ lower, upper }));
    }
  }
}
