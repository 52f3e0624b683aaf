import { and, between, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { DomainError } from "#lib/errors/domain-error";
import { CHUNK_VALUES, chunksOfRows, decodeChunks, type SeriesChunk } from "#lib/series/chunks";

/**
 * Predictions of one scenario, one value a row of its input. Timestamps are epoch milliseconds, null for a scenario
 * without times; bounds are null for a model without intervals. NaN is no value.
 */
export type StoredSeries = Points & Bounds;
export type Points = { timestamps: Float64Array | null; prediction: Float64Array };
export type Bounds = { lower: Float64Array | null; upper: Float64Array | null };

/** Without the times, which the input has too. */
export type Predicted = Omit<StoredSeries, "timestamps">;

type Name = (typeof predictionChunks.$inferSelect)["series"];

/**
 * Predictions go only with their scenario: where some are missing, it was deleted since it was looked for.
 *
 * @throws {DomainError} scenario_not_found
 */
export function requireWhole({ prediction }: Predicted | Points, rowCount: number): void {
  if (prediction.length !== rowCount) throw noScenario();
}

/**
 * The same where a scenario has no bounds: its model gives none, or it was deleted.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function requireStored(db: Database, scenarioId: string): Promise<void> {
  const found = await db
    .select({ chunk: predictionChunks.chunk })
    .from(predictionChunks)
    .where(eq(predictionChunks.scenarioId, scenarioId))
    .limit(1);
  if (found.length === 0) throw noScenario();
}

const noScenario = () => new DomainError("scenario_not_found", "There is no such scenario in this project.");

/** All rows, or those from `from` up to, not including, `to` (counted from 0). Reads only the chunks that hold them. */
export async function readPredictions(
  db: Database | Transaction,
  scenarioId: string,
  rows?: { from: number; to: number },
): Promise<StoredSeries> {
  const read = await readSeries(db, scenarioId, ["timestamp", "prediction", "lower", "upper"], rows);
  return {
    timestamps: read("timestamp"),
    prediction: read("prediction") ?? new Float64Array(0),
    lower: read("lower"),
    upper: read("upper"),
  };
}

/**
 * What is predicted of the rows from `from` (counted from 0) to the end of the chunk that it lies in, of `rowCount` in all:
 * whoever goes on behind them reads each chunk once.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function readPredictedFrom(
  db: Database,
  scenarioId: string,
  { from, rowCount }: { from: number; rowCount: number },
): Promise<Predicted> {
  const to = Math.min(rowCount, (Math.floor(from / CHUNK_VALUES) + 1) * CHUNK_VALUES);
  const read = await readSeries(db, scenarioId, ["prediction", "lower", "upper"], { from, to });
  const prediction = read("prediction") ?? new Float64Array(0);
  const predicted = { prediction, lower: read("lower"), upper: read("upper") };
  requireWhole(predicted, to - from);
  return predicted;
}

/**
 * Bounds of all rows.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function readBounds(db: Database, scenarioId: string): Promise<Bounds> {
  const read = await readSeries(db, scenarioId, ["lower", "upper"]);
  const bounds = { lower: read("lower"), upper: read("upper") };
  if (bounds.lower === null && bounds.upper === null) await requireStored(db, scenarioId);
  return bounds;
}

/** Times that were read already, or are just being read, by what the database says that they are. */
export type SharedTimes = Map<string, Promise<Float64Array | null>>;

/**
 * Predictions of all rows and their times. Scenarios of the same days, as those are that are compared, have the same
 * times: the database says so, and they are read once for all that are given the same `times`.
 */
export async function readPoints(db: Database, scenarioId: string, times: SharedTimes): Promise<Points> {
  const { data, chunk } = predictionChunks;
  const digest = sql`encode(sha256(${data}), 'hex')`;
  const found = await db
    .select({
      ...chunkFields,
      data: sql<string>`case ${predictionChunks.series} when 'timestamp' then ${digest} else ${base64} end`,
    })
    .from(predictionChunks)
    .where(chunksOf(scenarioId, ["timestamp", "prediction"]))
    .orderBy(chunk);
  const { timestamp, prediction } = Object.groupBy(found, ({ series }) => series);
  return {
    timestamps: timestamp ? await timesOf(db, scenarioId, timestamp, times) : null,
    prediction: prediction ? decoded(prediction) : new Float64Array(0),
  };
}

function timesOf(
  db: Database,
  scenarioId: string,
  digests: readonly { data: string }[],
  times: SharedTimes,
): Promise<Float64Array | null> {
  const digest = digests.map(({ data }) => data).join();
  const known =
    times.get(digest) ?? readSeries(db, scenarioId, ["timestamp"]).then((read) => read("timestamp"));
  times.set(digest, known);
  return known;
}

// The driver reads text alone, and bytes as base64 are a third shorter than as hexadecimal digits. Its COPY to a
// stream would give them as they are, but can leave its connection waiting for ever once the stream has ended.
const base64 = sql<string>`encode(${predictionChunks.data}, 'base64')`;

const chunkFields = {
  series: predictionChunks.series,
  chunk: predictionChunks.chunk,
  rowStart: predictionChunks.rowStart,
  rowCount: predictionChunks.rowCount,
};

const chunksOf = (scenarioId: string, names: Name[]) =>
  and(eq(predictionChunks.scenarioId, scenarioId), inArray(predictionChunks.series, names));

type Read = Omit<SeriesChunk, "data"> & { data: string };

const decoded = (chunks: readonly Read[]) =>
  decodeChunks(
    chunks.map(({ chunk, rowStart, rowCount, data }) => ({
      ...{ chunk, rowStart, rowCount },
      data: Buffer.from(data, "base64"),
    })),
  );

async function readSeries(
  db: Database | Transaction,
  scenarioId: string,
  names: Name[],
  rows?: { from: number; to: number },
): Promise<(name: Name) => Float64Array | null> {
  const { first, last } =
    rows === undefined ? { first: 0, last: 32_767 } : chunksOfRows(rows.from, Math.max(rows.to, rows.from));
  const found = await db
    .select({ ...chunkFields, data: base64 })
    .from(predictionChunks)
    .where(and(chunksOf(scenarioId, names), between(predictionChunks.chunk, first, last)));
  const bySeries = Map.groupBy(found, ({ series }) => series);
  const start = first * CHUNK_VALUES;
  return (name) => {
    const chunks = bySeries.get(name);
    if (chunks === undefined) return null;
    const values = decoded(chunks);
    return rows === undefined ? values : values.subarray(rows.from - start, rows.to - start);
  };
}
