import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { gather } from "#lib/engine/series/align";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { memoize } from "#lib/platform/concurrency/memoize";
import {
  asBase64,
  chunkGroups,
  noScenario,
  type Rows,
  readSeries,
  type SeriesName,
  SeriesRows,
} from "./read-series.ts";

/**
 * Predictions of one scenario, one value per row of its input. Timestamps are epoch milliseconds, or null for a scenario
 * without times. Bounds are null for a model without prediction intervals. NaN means no value.
 */
export type StoredSeries = TimedPredictions & Bounds;
export type TimedPredictions = { timestamps: Float64Array | null; prediction: Float64Array };
export type Bounds = {
  lower: Float64Array | null;
  upper: Float64Array | null;
  /** Least value of each row of a scenario with overrides (`overrideBounds`). */
  floors?: Float64Array;
};

/** Picks the bounds of some rows, from 0; -1 (no row) gives NaN. */
export const boundsOfRows = ({ lower, upper, floors }: Bounds, rows: Int32Array): Bounds => ({
  lower: lower && gather(lower, rows),
  upper: upper && gather(upper, rows),
  ...(floors && { floors: gather(floors, rows) }),
});

/** Predictions without the times, which the input has too. */
export type Predicted = Omit<StoredSeries, "timestamps">;

/**
 * Requires the predictions of all rows. Predictions are removed only with their scenario, so missing ones mean that the
 * scenario was deleted during the request.
 *
 * @throws {DomainError} scenario_not_found
 */
export function requireComplete({ prediction }: Predicted | TimedPredictions, rowCount: number): void {
  if (prediction.length !== rowCount) throw noScenario();
}

/**
 * Requires that a scenario's predictions still exist. Distinguishes a model without bounds from a deleted scenario.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function requireStored(db: Database, runId: string): Promise<void> {
  const found = await db
    .select({ chunk: predictionChunks.chunk })
    .from(predictionChunks)
    .where(eq(predictionChunks.runId, runId))
    .limit(1);
  if (found.length === 0) throw noScenario();
}

/**
 * Reads the predictions of some rows, specified as for `readSeries`.
 *
 * @param isTimed whether to read the times too
 * @throws {DomainError} scenario_not_found
 */
export async function readPredictions(
  db: Queryable,
  runId: string,
  rows: Rows | Int32Array,
  isTimed = true,
): Promise<StoredSeries> {
  const names: SeriesName[] = ["prediction", "lower", "upper"];
  const series = await readSeries(db, runId, isTimed ? ["timestamp", ...names] : names, rows);
  return {
    timestamps: series.timestamp ?? null,
    prediction: series.prediction ?? new Float64Array(0),
    lower: series.lower ?? null,
    upper: series.upper ?? null,
  };
}

/**
 * Reads the predictions from row `from` (counted from 0) to the end of its chunk. A caller that continues after these rows
 * reads each chunk once.
 *
 * @param isTimed whether to read the times too
 * @throws {DomainError} scenario_not_found
 */
export async function readPredictedFrom(
  db: Queryable,
  runId: string,
  { from, rowCount, isTimed }: { from: number; rowCount: number; isTimed: boolean },
): Promise<StoredSeries> {
  const to = Math.min(rowCount, (Math.floor(from / CHUNK_VALUES) + 1) * CHUNK_VALUES);
  const predicted = await readPredictions(db, runId, { from, to }, isTimed);
  requireComplete(predicted, to - from);
  return predicted;
}

/**
 * Reads the bounds of some rows, specified as for `readSeries`.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function readBounds(db: Database, runId: string, rows: Rows | Int32Array): Promise<Bounds> {
  const { lower = null, upper = null } = await readSeries(db, runId, ["lower", "upper"], rows);
  if (lower === null && upper === null) await requireStored(db, runId);
  return { lower, upper };
}

/** Times that were or are being read, by the digest that the database computes. */
export type SharedTimes = Map<string, Promise<Float64Array | null>>;

/**
 * Reads the predictions and times of all rows. Compared scenarios often have the same times. The database returns a digest
 * of them, and calls with the same `times` map read equal times once.
 *
 * @throws {DomainError} scenario_not_found if some rows are missing
 */
export function readPoints(
  db: Database,
  runId: string,
  rowCount: number,
  times: SharedTimes,
): Promise<TimedPredictions> {
  return pointsOf(db, runId, ["timestamp", "prediction"], rowCount, times);
}

/**
 * Reads the predictions of several runs of at most one chunk by one statement. Runs with equal times share them.
 *
 * @throws {DomainError} scenario_not_found if some rows are missing
 */
export async function readShortRuns(
  db: Database,
  runs: readonly { runId: string; rowCount: number | null }[],
): Promise<Map<string, StoredSeries>> {
  const { runId, series, chunk, rowStart, rowCount, data } = predictionChunks;
  const ids = runs.map((run) => run.runId);
  const chunks = await db
    .select({ runId, series, chunk, rowStart, rowCount, data: asBase64(sql`${data}`) })
    .from(predictionChunks)
    .where(and(inArray(runId, ids), eq(chunk, 0)));
  const byRun = Map.groupBy(chunks, (one) => one.runId);
  const times = new Map<string, Float64Array | null>();
  return new Map(
    runs.map((run): [string, StoredSeries] => {
      const rows = new SeriesRows({ from: 0, to: run.rowCount ?? 0 });
      const own = byRun.get(run.runId) ?? [];
      for (const one of own) rows.add(one);
      const { timestamp = null, prediction = new Float64Array(0), lower = null, upper = null } = rows.all;
      const text = own.find((one) => one.series === "timestamp")?.data ?? "";
      const timestamps = times.get(text) ?? timestamp;
      times.set(text, timestamps);
      requireComplete({ timestamps, prediction }, run.rowCount ?? 0);
      return [run.runId, { timestamps, prediction, lower, upper }];
    }),
  );
}

/** Reads only the times, shared in the same way. Returns null for a scenario without times. */
export async function readTimes(
  db: Database,
  runId: string,
  rowCount: number,
  times: SharedTimes,
): Promise<Float64Array | null> {
  return (await pointsOf(db, runId, ["timestamp"], rowCount, times)).timestamps;
}

async function pointsOf(
  db: Database,
  runId: string,
  names: readonly SeriesName[],
  rowCount: number,
  times: SharedTimes,
): Promise<TimedPredictions> {
  const digest = (bytes: SQL) => sql`encode(sha256(${bytes}), 'hex')`;
  const digestOrData = (bytes: SQL) =>
    sql<string>`case ${predictionChunks.series} when 'timestamp' then ${digest(bytes)} else ${asBase64(bytes)} end`;
  const rows = { from: 0, to: rowCount };
  const digests: string[] = [];
  const series = new SeriesRows(rows);
  for await (const group of chunkGroups(db, runId, names, rows, digestOrData)) {
    for (const chunk of group) {
      if (chunk.series === "timestamp") digests.push(chunk.data);
      else series.add(chunk);
    }
  }
  const allTimes = async () => (await readSeries(db, runId, ["timestamp"], rows)).timestamp ?? null;
  return {
    timestamps: digests.length === 0 ? null : await memoize(times, digests.join(), allTimes),
    prediction: series.all.prediction ?? new Float64Array(0),
  };
}
