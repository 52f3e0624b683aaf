import { jobs } from "#db/schema/jobs";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import type { Column } from "#lib/contract/table";
import { PredictionChunks } from "#lib/domain/scenarios/chunks/prediction-chunks";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { writeScenarioInput } from "#lib/domain/scenarios/run/scenario-input";
import { summarize } from "#lib/engine/series/summary";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";

/** A row of a panel of the stores A, B, … and their items. The region is a level of the store. */
export type PanelRow = { store: string; item: string; region: string; time: number; prediction: number };

/** Stores a Completed scenario with these rows of many series, by default without a model. Returns its id. */
export async function storePanelScenario(
  projectId: string,
  rows: readonly PanelRow[],
  {
    title = "Panel",
    inputs = [],
    checkpointId,
  }: { title?: string; inputs?: readonly Column[]; checkpointId?: string } = {},
): Promise<string> {
  const inputKey = `projects/${projectId}/scenarios/${newId()}/input`;
  const timestamps = Float64Array.from(rows, ({ time }) => time);
  const column = (name: "store" | "item" | "region"): Column => {
    const categories = [...new Set(rows.map((row) => row[name]))];
    const places = new Map(categories.map((value, place) => [value, place]));
    return {
      name,
      type: "category",
      codes: Int32Array.from(rows, (row) => places.get(row[name])!),
      categories,
    };
  };
  const time: Column = { name: "date", type: "timestamp", values: timestamps };
  await writeScenarioInput(inputKey, {
    table: {
      rowCount: rows.length,
      columns: [time, column("store"), column("item"), column("region"), ...inputs],
    },
    computed: [],
    knownUntil: null,
    series: { columns: ["store", "item"], levels: ["region"] },
  });
  const prediction = Float64Array.from(rows, (row) => row.prediction);
  const bounds = { lower: prediction.map((value) => value - 1), upper: prediction.map((value) => value + 1) };
  const ordered = timestamps.toSorted();
  const span = { firstTimestamp: new Date(ordered[0]!), lastTimestamp: new Date(ordered.at(-1)!) };
  return storeScenario(projectId, { timestamps, prediction, ...bounds }, title, {
    inputKey,
    checkpointId,
    ...span,
  });
}

/** Stores a Completed scenario with these predictions, without a model and an input. Returns its id. */
export async function storeScenario(
  projectId: string,
  series: StoredSeries,
  title = "Series",
  fields: Partial<typeof scenarioRuns.$inferInsert> = {},
): Promise<string> {
  const [id, jobId] = [newId(), newId()];
  const createdBy = "user-of-tests";
  const now = new Date();
  // The service has forgotten the events of a job of yesterday, so the state without them is consistent.
  const createdAt = new Date(now.getTime() - 86_400_000);
  const completed = {
    status: "Completed",
    progress: 100,
    attempt: 1,
    startedAt: now,
    finishedAt: now,
  } as const;
  await database().transaction(async (tx) => {
    // Disables triggers, because no running job writes these predictions.
    await tx.execute("set local session_replication_role = replica");
    const job = { id: jobId, projectId, scenarioId: id, type: "CreateScenario" } as const;
    await tx.insert(jobs).values({ ...job, payload: {}, createdBy, createdAt, ...completed });
    await tx.insert(scenarios).values({
      id,
      projectId,
      title,
      color: "#123456",
      source: "Upload",
      shownRunId: id,
      createdBy,
    });
    await tx.insert(scenarioRuns).values({
      id,
      projectId,
      scenarioId: id,
      jobId,
      createdBy,
      completedAt: now,
      inputKey: `none/${id}`,
      rowCount: series.prediction.length,
      summary: summarize(series.prediction),
      ...fields,
    });
    await using chunks = new PredictionChunks(id);
    await chunks.add(series);
    await chunks.store(tx);
  });
  return id;
}
