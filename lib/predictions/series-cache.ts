import type { Database } from "#db/client";
import {
  type Bounds,
  type Points,
  readBounds,
  readPoints,
  requireWhole,
  type SharedTimes,
  type StoredSeries,
} from "./read-predictions.ts";

/** Memory that the series of all charts may take together: twenty of 100,000 rows and some more. */
const BYTES_MAX = 128 * 1024 * 1024;

export type KnownScenario = { id: string; jobId: string; rowCount: number | null };

type Cached = { series: Promise<Points | Bounds>; bytes: number };

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
    const points = await readPoints(db, scenario.id, times);
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
  return cached(scenario, "bounds", () => readBounds(db, scenario.id));
}

/**
 * A whole series, kept likewise.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function cachedPredictions(
  db: Database,
  scenario: KnownScenario,
  times?: SharedTimes,
): Promise<StoredSeries> {
  const [points, bounds] = await Promise.all([cachedPoints(db, scenario, times), cachedBounds(db, scenario)]);
  return { ...points, ...bounds };
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
  const entry = cache.get(key) ?? { series: read(), bytes: 0 };
  cache.delete(key);
  cache.set(key, entry);
  try {
    const series = await entry.series;
    entry.bytes = Object.values(series).reduce((sum, values) => sum + (values?.byteLength ?? 0), 0);
    makeRoom(cache);
    return series as T;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

function makeRoom(cache: Map<string, Cached>): void {
  let total = 0;
  for (const { bytes } of cache.values()) total += bytes;
  for (const [key, { bytes }] of cache) {
    if (total <= BYTES_MAX) return;
    cache.delete(key);
    total -= bytes;
  }
}
