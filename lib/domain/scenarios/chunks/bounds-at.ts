import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { type Bounds, boundsOfRows, readBounds, requireStored } from "./read-predictions.ts";
import { cachedBounds, type KnownScenario } from "./series-cache.ts";

type Picked = { series: "lower" | "upper"; chunk: number; data: string };

/** For more rows than this, all bounds are read, because picking rows takes as long. */
const PICKED_MAX = 2_000;
/** The bounds of a scenario with more rows are never read completely, because that would take too much memory. */
const READ_MAX = 2_000_000;
/** Maximum number of rows to pick from such a scenario. The query looks for each row in each chunk. */
const PICKED_OF_LONG_MAX = 20_000;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Reads the bounds at the given rows (counted from 0, in any order; -1: no row). NaN means no bound. A chart shows one row
 * of a hundred, and bounds are half of the stored data, so the database picks the rows.
 *
 * @throws {DomainError} scenario_not_found if the scenario was deleted during the request
 */
export async function boundsAt(db: Database, scenario: KnownScenario, rows: Int32Array): Promise<Bounds> {
  if (rows.length > PICKED_MAX && (scenario.rowCount ?? 0) <= READ_MAX) {
    return boundsOfRows(await cachedBounds(db, scenario), rows);
  }
  const present = rows.filter((row) => row !== -1);
  if (present.length === 0) return { lower: null, upper: null };
  // All bounds of a short scenario are as quick to read, and cached for the next request.
  if ((scenario.rowCount ?? 0) <= PICKED_MAX) return boundsOfRows(await cachedBounds(db, scenario), rows);
  if (rows.length > PICKED_OF_LONG_MAX) return readBounds(db, scenario.runId, rows);
  const placesOf = Map.groupBy(rows.keys(), (place) => Math.floor(rows[place]! / CHUNK_VALUES));
  const chunks = [...placesOf.keys()].filter((chunk) => chunk !== -1);
  const found = await pick(db, scenario.runId, present, chunks);
  if (found.length === 0) await requireStored(db, scenario.runId);
  const bySeries = Map.groupBy(found, ({ series }) => series);
  const read = (name: Picked["series"]): Float64Array | null => {
    const picked = bySeries.get(name);
    if (picked === undefined) return null;
    const values = new Float64Array(rows.length).fill(Number.NaN);
    for (const { chunk, data } of picked) {
      const bytes = Buffer.from(data, "base64");
      placesOf.get(chunk)!.forEach((place, index) => {
        values[place] = bytes.readDoubleLE(index * BYTES);
      });
    }
    return values;
  };
  return { lower: read("lower"), upper: read("upper") };
}

/** Picks values by chunk. The values of a chunk are in the order of `rows`. */
async function pick(
  db: Database,
  runId: string,
  rows: Int32Array,
  chunks: readonly number[],
): Promise<Picked[]> {
  // Postgres stores a chunk in many pieces. `||` assembles them once, and not once per row.
  const found = await db.execute(sql`
    select chunks.series, chunks.chunk, encode(
      (
        select string_agg(substring(chunks.data from ${BYTES} * (requested.row - chunks.row_start) + 1 for ${BYTES}), '' order by requested.place)
        from unnest(${arrayOf(rows)}::integer[]) with ordinality as requested (row, place)
        where requested.row between chunks.row_start and chunks.row_start + chunks.row_count - 1
      ),
      'base64'
    ) as data
    from (
      select series, chunk, row_start, row_count, data || '' as data
      from prediction_chunks
      where run_id = ${runId} and series in ('lower', 'upper') and chunk = any(${arrayOf(chunks)}::smallint[])
      offset 0
    ) as chunks`);
  return [...found] as Picked[];
}

const arrayOf = (values: Int32Array | readonly number[]) => `{${values.join(",")}}`;
