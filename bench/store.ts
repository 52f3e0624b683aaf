import postgres, { type Sql } from "postgres";
import { createDatabase, type DatabaseConnection, type Transaction } from "#db/client";
import { migrate } from "#db/migrate";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { predictionChunks, scenarios } from "#db/schema/scenarios";
import { storePredictions } from "#lib/domain/scenarios/predictions/prediction-chunks";
import { readPredictions, type StoredSeries } from "#lib/domain/scenarios/predictions/read-predictions";
import { newId } from "#lib/platform/ids/new-id";
import { startPostgres } from "#server/postgres/start-postgres";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { copyRows, createRows, insertRows, ROWS, readRows } from "./prediction-rows.ts";
import { hours, randomWalk } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A scenario's times and predictions into a PostgreSQL of the bench's own: our chunks against a row for each. */
export const store: Benchmark = async function* ({ quick, rounds, seed, say }) {
  const length = quick ? 10_000 : 1_000_000;
  const size = length.toLocaleString("en");
  const series: StoredSeries = {
    timestamps: hours(length),
    prediction: randomWalk(length, seed),
    lower: null,
    upper: null,
  };
  using folder = temporaryFolder();
  say("  starting a PostgreSQL");
  const server = await startPostgres({ dataDir: folder.path });
  try {
    await migrate(server.url);
    const connection = createDatabase(server.url, { max: 2 });
    // Beside Drizzle's own, which changes how times are written.
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
        note: `${await sizeOf(sql, "prediction_chunks", length)} against ${await sizeOf(sql, ROWS, length)}`,
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

/** Past the triggers: there is no checkpoint. */
async function createScenario({ db }: DatabaseConnection): Promise<string> {
  const [projectId, scenarioId, jobId] = [newId(), newId(), newId()];
  const by = { projectId, createdBy: "bench" };
  await db.transaction(async (tx) => {
    await tx.execute(withoutTriggers);
    await tx.insert(projects).values({ id: projectId, name: "Bench", createdBy: "bench" });
    const job = { id: jobId, type: "CreateScenario", status: "Running", payload: {} } as const;
    await tx.insert(jobs).values({ ...by, ...job, attempt: 1, startedAt: new Date() });
    const told = { title: "Bench", color: "#336699", source: "Upload" } as const;
    await tx.insert(scenarios).values({ ...by, ...told, id: scenarioId, jobId });
  });
  return scenarioId;
}

const withoutTriggers = "set local session_replication_role = replica";
const withTriggers = "set local session_replication_role = origin";

/** In place of those that are there, as its job would, whose end alone is past the triggers. */
async function replacePredictions(tx: Transaction, scenarioId: string, series: StoredSeries): Promise<void> {
  await tx.execute(withoutTriggers);
  await tx.delete(predictionChunks);
  await tx.update(jobs).set({ status: "Running", finishedAt: null });
  await tx.execute(withTriggers);
  await storePredictions(tx, scenarioId, series);
  await tx.execute(withoutTriggers);
  await tx.update(jobs).set({ status: "Completed", progress: 100, finishedAt: new Date() });
}

/** Both ways must give back what was stored, or their times would not be times of the same thing. */
function check(stored: StoredSeries, ...read: Pick<StoredSeries, "prediction" | "timestamps">[]): void {
  for (const { prediction, timestamps } of read) {
    const same =
      prediction.length === stored.prediction.length &&
      prediction.every((value, row) => value === stored.prediction[row]) &&
      timestamps?.every((ms, row) => ms === stored.timestamps![row]);
    if (!same) throw new Error("What was read is not what was stored.");
  }
}

/** The table with its indexes, as a single copy of the series: what replaced rows left is cleared away before. */
async function sizeOf(sql: Sql, table: string, length: number): Promise<string> {
  await sql.unsafe(`vacuum full ${table}`);
  const [row] = await sql<{ bytes: string }[]>`select pg_total_relation_size(${table}) as bytes`;
  const bytes = Number(row!.bytes);
  return `${(bytes / 1e6).toFixed(1)} MB (${(bytes / length).toFixed(1)} bytes a prediction)`;
}
