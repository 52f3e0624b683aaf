import type { Database } from "#db/client";
import { perProcess } from "#lib/platform/process/per-process";
import {
  type Bounds,
  readBounds,
  readPoints,
  requireComplete,
  type SharedTimes,
  type TimedPredictions,
} from "./read-predictions.ts";

/** Maximum memory for the series of all charts: three series of 10,000,000 rows with the same times, and some more. */
const BYTES_MAX = 384 * 1024 * 1024;

/** A run of a scenario. */
export type KnownScenario = { runId: string; jobId: string; rowCount: number | null };

type Cached = {
  series: Promise<TimedPredictions | Bounds>;
  /** Memory of its arrays once they are read. Scenarios with the same times share the array of times. */
  memory: ArrayBufferLike[];
};

const seriesOfProcess = perProcess("predictionSeries", () => new Map<string, Cached>());

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
 * Caches by run and job, because the predictions of a completed job never change. Evicts the least recently used entry first.
 *
 * @param part names the series
 */
export async function cached<T extends TimedPredictions | Bounds>(
  { runId, jobId }: KnownScenario,
  part: string,
  read: () => Promise<T>,
): Promise<T> {
  const cache = seriesOfProcess();
  const key = `${runId} ${jobId} ${part}`;
  const entry = cache.get(key) ?? { series: read(), memory: [] };
  cache.delete(key);
  cache.set(key, entry);
  try {
    const series = await entry.series;
    entry.memory = Object.values(series).flatMap((values) => (values === null ? [] : [values.buffer]));
    makeRoom(cache);
    return series as T;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

function makeRoom(cache: Map<string, Cached>): void {
  const held = new Map<ArrayBufferLike, number>();
  let total = 0;
  for (const { memory } of cache.values()) {
    for (const buffer of memory) {
      const times = held.get(buffer) ?? 0;
      held.set(buffer, times + 1);
      if (times === 0) total += buffer.byteLength;
    }
  }
  for (const [key, { memory }] of cache) {
    if (total <= BYTES_MAX) return;
    cache.delete(key);
    for (const buffer of memory) {
      const times = held.get(buffer)! - 1;
      held.set(buffer, times);
      if (times === 0) total -= buffer.byteLength;
    }
  }
}
