import { and, between, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { DomainError } from "#lib/errors/domain-error";
import { CHUNK_VALUES, chunksOfRows, decodeChunks } from "#lib/series/chunks";

/**
 * Predictions of one scenario, one value a row of its input. Timestamps are epoch milliseconds, null for a scenario
 * without times; bounds are null for a model without intervals. NaN is no value.
 */
export type StoredSeries = {
  timestamps: Float64Array | null;
  prediction: Float64Array;
  lower: Float64Array | null;
  upper: Float64Array | null;
};

/**
 * Predictions go only with their scenario: where some are missing, it was deleted since it was looked for.
 *
 * @throws {DomainError} scenario_not_found
 */
export function requireWhole({ prediction }: StoredSeries, rowCount: number): void {
  if (prediction.length === rowCount) return;
  throw new DomainError("scenario_not_found", "There is no such scenario in this project.");
}

/** All rows, or those from `from` up to, not including, `to` (counted from 0). Reads only the chunks that hold them. */
export async function readPredictions(
  db: Database | Transaction,
  scenarioId: string,
  rows?: { from: number; to: number },
): Promise<StoredSeries> {
  const { first, last } =
    rows === undefined ? { first: 0, last: 32_767 } : chunksOfRows(rows.from, Math.max(rows.to, rows.from));
  const found = await db
    .select({
      series: predictionChunks.series,
      chunk: predictionChunks.chunk,
      rowStart: predictionChunks.rowStart,
      rowCount: predictionChunks.rowCount,
      // The driver reads text alone, and bytes as base64 are a third shorter than as hexadecimal digits. Its COPY to a
      // stream would give them as they are, but can leave its connection waiting for ever once the stream has ended.
      data: sql<string>`encode(${predictionChunks.data}, 'base64')`,
    })
    .from(predictionChunks)
    .where(and(eq(predictionChunks.scenarioId, scenarioId), between(predictionChunks.chunk, first, last)));
  const bySeries = Map.groupBy(found, ({ series }) => series);
  const start = first * CHUNK_VALUES;
  const read = (name: (typeof found)[number]["series"]): Float64Array | null => {
    const chunks = bySeries.get(name);
    if (chunks === undefined) return null;
    const values = decodeChunks(
      chunks.map(({ chunk, rowStart, rowCount, data }) => ({
        chunk,
        rowStart,
        rowCount,
        data: Buffer.from(data, "base64"),
      })),
    );
    return rows === undefined ? values : values.subarray(rows.from - start, rows.to - start);
  };
  return {
    timestamps: read("timestamp"),
    prediction: read("prediction") ?? new Float64Array(0),
    lower: read("lower"),
    upper: read("upper"),
  };
}
