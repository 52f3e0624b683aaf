import postgres, { type Sql } from "postgres";
import { createDatabase, type DatabaseConnection, type Transaction } from "#db/client";
import { migrate } from "#db/migrate";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { predictionChunks, scenarios } from "#db/schema/scenarios";
import { PredictionChunks } from "#lib/domain/scenarios/predictions/prediction-chunks";
import { readPredictions, type StoredSeries } from "#lib/domain/scenarios/predictions/read-predictions";
import { newId } from "#lib/platform/ids/new-id";
import { startPostgres } from "#server/postgres/start-postgres";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { copyRows, createRows, insertRows, ROWS, readRows } from "./prediction-rows.ts";
import { hours, randomWalk } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Compares our storage of a scenario's times and predictions, in chunks, with one row per prediction. */
export const store: Benchmark = async function* ({ quick, rounds, seed, log }) {
  const length = quick ? 10_000 : 1_000_000;
  const size = length.toLocaleString("en");
  const series: StoredSeries = {
    timestamps: hours(length),
    prediction: randomWalk(length, seed),
    lower: null,
    upper: null,
  };
  using folder = temporaryFolder();
  log("  starting PostgreSQL");
  const server = await startPostgres({ dataDir: folder.path });
  try {
    await migrate(server.url);
    const connection = createDatabase(server.url, { max: 2 });
    // A separate client, because Drizzle changes how its client reads and writes times.
    const sql = postgres(server.url, { max: 2, onnotice: () => {} });
    try {
      const scenarioId = await createScenario(connection);
      await createRows(sql);
      const { db } = connection;
      yield {
        ...(await measure({
          what: `write ${size}`,
          ours: {
            name: "bytea chunks",
            run: () => db.transaction((tx) => replacePredictions(tx, scenarioId, series)),
          },
          others: [
            { name: "rows by COPY", run: () => copyRows(sql, scenarioId, series) },
            { name: "rows by INSERT", run: () => insertRows(sql, scenarioId, series) },
          ],
          rounds,
        })),
        note: `${await sizeOf(sql, "prediction_chunks", length)} compared with ${await sizeOf(sql, ROWS, length)}`,
      };
      check(
        series,
        await readPredictions(db, scenarioId, { from: 0, to: length }),
        await readRows(sql, scenarioId),
      );
      yield await measure({
        what: `read ${size}`,
        ours: { name: "bytea chunks", run: () => readPredictions(db, scenarioId, { from: 0, to: length }) },
        others: [{ name: "rows", run: () => readRows(sql, scenarioId) }],
        rounds,
      });
    } finally {
      await Promise.all([connection.close(), sql.end({ timeout: 5 })]);
    }
  } finally {
    await server.stop();
  }
};

/** Inserts a scenario with its project and job. Triggers are off, because the scenario has no checkpoint. */
async function createScenario({ db }: DatabaseConnection): Promise<string> {
  const [projectId, scenarioId, jobId] = [newId(), newId(), newId()];
  const by = { projectId, createdBy: "bench" };
  await db.transaction(async (tx) => {
    await tx.execute(withoutTriggers);
    await tx.insert(projects).values({ id: projectId, name: "Bench", createdBy: "bench" });
    const job = { id: jobId, type: "CreateScenario", status: "Running", payload: {} } as const;
    await tx.insert(jobs).values({ ...by, ...job, attempt: 1, startedAt: new Date() });
    const fields = { title: "Bench", color: "#336699", source: "Upload" } as const;
    await tx.insert(scenarios).values({ ...by, ...fields, id: scenarioId, jobId });
  });
  return scenarioId;
}

const withoutTriggers = "set local session_replication_role = replica";
const withTriggers = "set local session_replication_role = origin";

/**
 * Replaces the stored predictions like the scenario's job. Triggers are on only for the insert; they are off for the
 * deletion and for the changes of the job's status.
 */
async function replacePredictions(tx: Transaction, scenarioId: string, series: StoredSeries): Promise<void> {
  await tx.execute(withoutTriggers);
  await tx.delete(predictionChunks);
  await tx.update(jobs).set({ status: "Running", finishedAt: null });
  await tx.execute(withTriggers);
  await using chunks = new PredictionChunks(scenarioId);
  await chunks.add(series);
  await chunks.store(tx);
  await tx.execute(withoutTriggers);
  await tx.update(jobs).set({ status: "Completed", progress: 100, finishedAt: new Date() });
}

/** Checks that both storages return the stored series. Otherwise their times are not comparable. */
function check(stored: StoredSeries, ...read: Pick<StoredSeries, "prediction" | "timestamps">[]): void {
  for (const { prediction, timestamps } of read) {
    const same =
      prediction.length === stored.prediction.length &&
      prediction.every((value, row) => value === stored.prediction[row]) &&
      timestamps?.every((ms, row) => ms === stored.timestamps![row]);
    if (!same) throw new Error("The stored series differs from the series that was read.");
  }
}

/** Describes the size of the table with its indexes, after dead rows are removed. */
async function sizeOf(sql: Sql, table: string, length: number): Promise<string> {
  await sql.unsafe(`vacuum full ${table}`);
  const [row] = await sql<{ bytes: string }[]>`select pg_total_relation_size(${table}) as bytes`;
  const bytes = Number(row!.bytes);
  return `${(bytes / 1e6).toFixed(1)} MB (${(bytes / length).toFixed(1)} bytes per prediction)`;
}
