import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Sql } from "postgres";
import type { StoredSeries } from "#lib/domain/scenarios/predictions/read-predictions";

/** Table of the common storage of predictions: one row per prediction. */
export const ROWS = "bench_prediction_rows";

const ROWS_PER_STATEMENT = 10_000;
const LINES_PER_PIECE = 10_000;

export async function createRows(sql: Sql): Promise<void> {
  await sql.unsafe(`create table ${ROWS} (
    scenario_id uuid not null references scenarios (id) on delete cascade,
    row integer not null,
    time timestamptz,
    prediction double precision not null,
    primary key (scenario_id, row))`);
}

/** Replaces all rows by the series, with INSERT. */
export async function insertRows(sql: Sql, scenarioId: string, series: StoredSeries): Promise<void> {
  const { prediction, timestamps } = series;
  await sql.begin(async (tx) => {
    await tx.unsafe(`truncate ${ROWS}`);
    for (let from = 0; from < prediction.length; from += ROWS_PER_STATEMENT) {
      const part = Array.from(prediction.subarray(from, from + ROWS_PER_STATEMENT), (value, index) => ({
        scenario_id: scenarioId,
        row: from + index,
        time: new Date(timestamps![from + index]!),
        prediction: value,
      }));
      await tx`insert into ${tx(ROWS)} ${tx(part)}`;
    }
  });
}

/** Replaces all rows by the series, with COPY in text format. */
export async function copyRows(sql: Sql, scenarioId: string, series: StoredSeries): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`truncate ${ROWS}`);
    const target = await tx`copy ${tx(ROWS)} (scenario_id, row, time, prediction) from stdin`.writable();
    await pipeline(Readable.from(textPieces(scenarioId, series)), target);
  });
}

function* textPieces(scenarioId: string, { prediction, timestamps }: StoredSeries): Generator<string> {
  for (let from = 0; from < prediction.length; from += LINES_PER_PIECE) {
    let piece = "";
    for (let row = from; row < Math.min(from + LINES_PER_PIECE, prediction.length); row++) {
      piece += `${scenarioId}\t${row}\t${new Date(timestamps![row]!).toISOString()}\t${prediction[row]}\n`;
    }
    yield piece;
  }
}

export async function readRows(
  sql: Sql,
  scenarioId: string,
): Promise<{ prediction: Float64Array; timestamps: Float64Array }> {
  const rows = await sql<{ time: Date; prediction: number }[]>`
    select time, prediction from ${sql(ROWS)} where scenario_id = ${scenarioId} order by row`;
  return {
    prediction: Float64Array.from(rows, ({ prediction }) => prediction),
    timestamps: Float64Array.from(rows, ({ time }) => time.getTime()),
  };
}
