import { and, between, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { DomainError } from "#lib/errors/domain-error";
import { CHUNK_VALUES, chunksOfRows, placeChunk, type SeriesChunk } from "#lib/series/chunks";

/**
 * Predictions of one scenario, one value a row of its input. Timestamps are epoch milliseconds, null for a scenario
 * without times; bounds are null for a model without intervals. NaN is no value.
 */
export type StoredSeries = Points & Bounds;
export type Points = { timestamps: Float64Array | null; prediction: Float64Array };
export type Bounds = { lower: Float64Array | null; upper: Float64Array | null };

/** Without the times, which the input has too. */
export type Predicted = Omit<StoredSeries, "timestamps">;

/** Rows from `from` up to, not including, `to`, counted from 0. */
type Rows = { from: number; to: number };

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

/** Rows from `from` up to, not including, `to` (counted from 0). Reads only the chunks that hold them. */
export async function readPredictions(
  db: Database | Transaction,
  scenarioId: string,
  rows: Rows,
): Promise<StoredSeries> {
  const series = await readSeries(db, scenarioId, ["timestamp", "prediction", "lower", "upper"], rows);
  return {
    timestamps: series.timestamp ?? null,
    prediction: series.prediction ?? new Float64Array(0),
    lower: series.lower ?? null,
    upper: series.upper ?? null,
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
  const series = await readSeries(db, scenarioId, ["prediction", "lower", "upper"], { from, to });
  const { prediction = new Float64Array(0), lower = null, upper = null } = series;
  const predicted = { prediction, lower, upper };
  requireWhole(predicted, to - from);
  return predicted;
}

/**
 * Bounds of some rows.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function readBounds(db: Database, scenarioId: string, rows: Rows): Promise<Bounds> {
  const { lower = null, upper = null } = await readSeries(db, scenarioId, ["lower", "upper"], rows);
  if (lower === null && upper === null) await requireStored(db, scenarioId);
  return { lower, upper };
}

/** Times that were read already, or are just being read, by what the database says that they are. */
export type SharedTimes = Map<string, Promise<Float64Array | null>>;

/**
 * Predictions of all rows and their times. Scenarios of the same days, as those are that are compared, have the same
 * times: the database says so, and they are read once for all that are given the same `times`.
 *
 * @throws {DomainError} scenario_not_found where some are missing
 */
export async function readPoints(
  db: Database,
  scenarioId: string,
  rowCount: number,
  times: SharedTimes,
): Promise<Points> {
  const { data } = predictionChunks;
  const digest = sql`encode(sha256(${data}), 'hex')`;
  const digestOrData = sql<string>`case ${predictionChunks.series} when 'timestamp' then ${digest} else ${base64} end`;
  const rows = { from: 0, to: rowCount };
  const digests: string[] = [];
  const series = new SeriesRows(rows);
  for await (const found of chunkGroups(db, scenarioId, ["timestamp", "prediction"], rows, digestOrData)) {
    for (const chunk of found) {
      if (chunk.series === "timestamp") digests.push(chunk.data);
      else series.add(chunk);
    }
  }
  return {
    timestamps: digests.length === 0 ? null : await timesOf(db, scenarioId, rows, digests.join(), times),
    prediction: series.all.prediction ?? new Float64Array(0),
  };
}

function timesOf(
  db: Database,
  scenarioId: string,
  rows: Rows,
  digest: string,
  times: SharedTimes,
): Promise<Float64Array | null> {
  const known =
    times.get(digest) ??
    readSeries(db, scenarioId, ["timestamp"], rows).then(({ timestamp }) => timestamp ?? null);
  times.set(digest, known);
  return known;
}

async function readSeries(
  db: Database | Transaction,
  scenarioId: string,
  names: Name[],
  rows: Rows,
): Promise<Partial<Record<Name, Float64Array>>> {
  const series = new SeriesRows(rows);
  for await (const found of chunkGroups(db, scenarioId, names, rows, base64)) {
    for (const chunk of found) series.add(chunk);
  }
  return series.all;
}

// The driver reads text alone, and bytes as base64 are a third shorter than as hexadecimal digits. Its COPY to a
// stream would give them as they are, but can leave its connection waiting for ever once the stream has ended.
const base64 = sql<string>`encode(${predictionChunks.data}, 'base64')`;

/** Chunks of each series that are read at a time: of a million rows, so that few long texts are in memory. */
const GROUP_CHUNKS = 16;

type Read = Omit<SeriesChunk, "data"> & { series: Name; data: string };

async function* chunkGroups(
  db: Database | Transaction,
  scenarioId: string,
  names: Name[],
  { from, to }: Rows,
  data: SQL<string>,
): AsyncGenerator<Read[]> {
  const { series, chunk, rowStart, rowCount } = predictionChunks;
  const { first, last } = chunksOfRows(from, Math.max(to, from));
  for (let begin = first; begin <= last; begin += GROUP_CHUNKS) {
    const end = Math.min(last, begin + GROUP_CHUNKS - 1);
    yield await db
      .select({ series, chunk, rowStart, rowCount, data })
      .from(predictionChunks)
      .where(
        and(eq(predictionChunks.scenarioId, scenarioId), inArray(series, names), between(chunk, begin, end)),
      )
      .orderBy(chunk);
  }
}

/** Series as their chunks come in. They are in memory that threads share, so that long ones are drawn in one. */
class SeriesRows {
  readonly #rows: Rows;
  readonly #series = new Map<Name, { values: Float64Array; next: number }>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** @throws {DomainError} scenario_not_found for a chunk that follows none: those before it were deleted meanwhile */
  add({ series, data, ...place }: Read): void {
    const { from, to } = this.#rows;
    const next = chunksOfRows(from, to).first * CHUNK_VALUES;
    const known = this.#series.get(series) ?? { values: sharedValues(to - from), next };
    this.#series.set(series, known);
    if (place.rowStart !== known.next) throw noScenario();
    placeChunk(known.values, from, { ...place, data: Buffer.from(data, "base64") });
    known.next += place.rowCount;
  }

  /** @throws {DomainError} scenario_not_found where some rows have gone meanwhile */
  get all(): Partial<Record<Name, Float64Array>> {
    const found = [...this.#series];
    if (found.some(([, { next }]) => next < this.#rows.to)) throw noScenario();
    return Object.fromEntries(found.map(([name, { values }]) => [name, values]));
  }
}

const sharedValues = (length: number) =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
