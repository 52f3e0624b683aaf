import type { Database } from "#db/client";
import {
  type Bounds,
  type Points,
  readBounds,
  readPoints,
  requireWhole,
  type SharedTimes,
} from "./read-predictions.ts";

/** Memory that the series of all charts may take together: three of 10,000,000 rows and of the same times, and some more. */
const BYTES_MAX = 384 * 1024 * 1024;

export type KnownScenario = { id: string; jobId: string; rowCount: number | null };

type Cached = {
  series: Promise<Points | Bounds>;
  /** Of its arrays, once they are read. Scenarios of the same times have them in common. */
  memory: ArrayBufferLike[];
};

const shared = globalThis as typeof globalThis & { predictionSeries?: Map<string, Cached> };

/**
 * Predictions of all rows and their times, kept in memory for the next zoom.
 *
 * @param times given to all calls for series that are looked at together, so that equal times are read once
 * @throws {DomainError} scenario_not_found
 */
export function cachedPoints(
  db: Database,
  scenario: KnownScenario,
  times: SharedTimes = new Map(),
): Promise<Points> {
  return cached(scenario, "points", async () => {
    const points = await readPoints(db, scenario.id, scenario.rowCount ?? 0, times);
    requireWhole(points, scenario.rowCount ?? 0);
    return points;
  });
}

/**
 * Bounds of all rows, kept likewise.
 *
 * @throws {DomainError} scenario_not_found
 */
export function cachedBounds(db: Database, scenario: KnownScenario): Promise<Bounds> {
  return cached(scenario, "bounds", () =>
    readBounds(db, scenario.id, { from: 0, to: scenario.rowCount ?? 0 }),
  );
}

/**
 * Predictions that a completed job made never change, so the job's id names them; the least recently used ones go first.
 */
async function cached<T extends Points | Bounds>(
  { id, jobId }: KnownScenario,
  part: "points" | "bounds",
  read: () => Promise<T>,
): Promise<T> {
  shared.predictionSeries ??= new Map();
  const cache = shared.predictionSeries;
  const key = `${id} ${jobId} ${part}`;
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
