import type { Database } from "#db/client";
import { readPredictions, requireWhole, type StoredSeries } from "./read-predictions.ts";

/** Memory that the series of all charts may take together: twenty of 100,000 rows and some more. */
const BYTES_MAX = 128 * 1024 * 1024;

type Cached = { series: Promise<StoredSeries>; bytes: number };

const shared = globalThis as typeof globalThis & { predictionSeries?: Map<string, Cached> };

/**
 * A whole series, kept in memory for the next zoom. Predictions that a completed job made never change, so the job's id
 * names them; the least recently used ones go first.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function cachedPredictions(
  db: Database,
  { id, jobId, rowCount }: { id: string; jobId: string; rowCount: number | null },
): Promise<StoredSeries> {
  shared.predictionSeries ??= new Map();
  const cache = shared.predictionSeries;
  const key = `${id} ${jobId}`;
  const known = cache.get(key);
  const entry = known ?? { series: readPredictions(db, id), bytes: 0 };
  cache.delete(key);
  cache.set(key, entry);
  try {
    const series = await entry.series;
    requireWhole(series, rowCount ?? 0);
    entry.bytes = bytesOf(series);
    makeRoom(cache);
    return series;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

function bytesOf({ timestamps, prediction, lower, upper }: StoredSeries): number {
  return [timestamps, prediction, lower, upper].reduce((sum, values) => sum + (values?.byteLength ?? 0), 0);
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
