import { and, between, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { CHUNK_VALUES, chunksOfRows, placeChunk, type SeriesChunk } from "#lib/engine/series/chunks";
import { DomainError } from "#lib/platform/errors/domain-error";

/** Range of rows from `from` up to, not including, `to`, counted from 0. */
export type Rows = { from: number; to: number };

export type SeriesName = (typeof predictionChunks.$inferSelect)["series"];
type NamedSeries = Partial<Record<SeriesName, Float64Array>>;

export const noScenario = () =>
  new DomainError("scenario_not_found", "There is no such scenario in this project.");

/**
 * Reads the named series of some rows. Omits series that the scenario does not have.
 *
 * @param rows a range, or rows in any order: counted from 0; -1 (no row) gives NaN
 * @throws {DomainError} scenario_not_found if some rows were deleted during the request
 */
export function readSeries(
  db: Queryable,
  runId: string,
  names: readonly SeriesName[],
  rows: Rows | Int32Array,
): Promise<NamedSeries> {
  const read = (run: Rows) => readRun(db, runId, names, run);
  return rows instanceof Int32Array ? pick(rows, names, read) : read(rows);
}

async function readRun(
  db: Queryable,
  runId: string,
  names: readonly SeriesName[],
  rows: Rows,
): Promise<NamedSeries> {
  const series = new SeriesRows(rows);
  for await (const group of chunkGroups(db, runId, names, rows, asBase64)) {
    for (const chunk of group) series.add(chunk);
  }
  return series.all;
}

/** Picks rows in any order. Reads at most a million rows at a time. */
async function pick(
  rows: Int32Array,
  names: readonly SeriesName[],
  read: (rows: Rows) => Promise<NamedSeries>,
): Promise<NamedSeries> {
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (const row of rows) {
    if (row !== -1 && row < first) first = row;
    if (row > last) last = row;
  }
  const picked: NamedSeries = {};
  for (let from = first; from <= last; from += GROUP_ROWS) {
    const to = Math.min(last + 1, from + GROUP_ROWS);
    if (!rows.some((row) => row >= from && row < to)) continue;
    const series = await read({ from, to });
    for (const name of names) {
      const values = series[name];
      if (values === undefined) continue;
      picked[name] ??= new Float64Array(rows.length).fill(Number.NaN);
      const at = picked[name];
      for (let place = 0; place < rows.length; place++) {
        const row = rows[place]!;
        if (row >= from && row < to) at[place] = values[row - from]!;
      }
    }
  }
  return picked;
}

// The driver reads only text, and base64 is a third shorter than hexadecimal. The driver's COPY to a stream would
// return raw bytes, but can leave its connection waiting forever after the stream has ended.
export const asBase64 = (bytes: SQL) => sql<string>`encode(${bytes}, 'base64')`;

/** Number of chunks of each series per query: a million rows, so that few long texts are in memory. */
const GROUP_CHUNKS = 16;
const GROUP_ROWS = GROUP_CHUNKS * CHUNK_VALUES;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

type Read = Omit<SeriesChunk, "data"> & { series: SeriesName; data: string };

/**
 * Reads the chunks of the named series that overlap the rows, in order. The query cuts each chunk to the rows. `data`
 * converts its bytes to text.
 */
export async function* chunkGroups(
  db: Queryable,
  runId: string,
  names: readonly SeriesName[],
  { from, to }: Rows,
  data: (bytes: SQL) => SQL<string>,
): AsyncGenerator<Read[]> {
  const { series, chunk, rowStart: start, rowCount: count, data: all } = predictionChunks;
  const rowStart = sql<number>`greatest(${start}, ${from}::integer)`;
  const rowCount = sql<number>`greatest(0, least(${start} + ${count}, ${to}::integer) - ${rowStart})`;
  // Chunks are stored uncompressed, so the server reads only these bytes.
  const bytes = sql`substring(${all} from ${BYTES} * (${rowStart} - ${start}) + 1 for ${BYTES} * ${rowCount})`;
  const { first, last } = chunksOfRows(from, Math.max(to, from));
  for (let begin = first; begin <= last; begin += GROUP_CHUNKS) {
    const end = Math.min(last, begin + GROUP_CHUNKS - 1);
    yield await db
      .select({ series, chunk, rowStart, rowCount, data: data(bytes) })
      .from(predictionChunks)
      .where(and(eq(predictionChunks.runId, runId), inArray(series, [...names]), between(chunk, begin, end)))
      .orderBy(chunk);
  }
}

/** Assembles series from their chunks, in shared memory, so that a worker thread can process long series. */
export class SeriesRows {
  readonly #rows: Rows;
  readonly #series = new Map<SeriesName, { values: Float64Array; next: number }>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** @throws {DomainError} scenario_not_found for a gap before the chunk: earlier chunks were deleted during the request */
  add({ series, data, ...place }: Read): void {
    const { from, to } = this.#rows;
    const known = this.#series.get(series) ?? { values: sharedValues(to - from), next: from };
    this.#series.set(series, known);
    if (place.rowStart !== known.next) throw noScenario();
    placeChunk(known.values, from, { ...place, data: Buffer.from(data, "base64") });
    known.next += place.rowCount;
  }

  /** @throws {DomainError} scenario_not_found if some rows were deleted during the request */
  get all(): NamedSeries {
    const found = [...this.#series];
    if (found.some(([, { next }]) => next < this.#rows.to)) throw noScenario();
    return Object.fromEntries(found.map(([name, { values }]) => [name, values]));
  }
}

const sharedValues = (length: number) => new Float64Array(new SharedArrayBuffer(length * BYTES));
