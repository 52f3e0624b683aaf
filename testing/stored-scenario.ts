import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { PredictionChunks } from "#lib/domain/scenarios/chunks/prediction-chunks";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { summarize } from "#lib/engine/series/summary";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";

/** Stores a Completed scenario with these predictions, without a model and an input. Returns its id. */
export async function storeScenario(
  projectId: string,
  series: StoredSeries,
  title = "Series",
): Promise<string> {
  const [id, jobId] = [newId(), newId()];
  const createdBy = "user-of-tests";
  const now = new Date();
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
    await tx
      .insert(jobs)
      .values({ id: jobId, projectId, type: "CreateScenario", payload: {}, createdBy, ...completed });
    await tx.insert(scenarios).values({
      id,
      projectId,
      title,
      color: "#123456",
      jobId,
      source: "Upload",
      createdBy,
      inputKey: `none/${id}`,
      rowCount: series.prediction.length,
      summary: summarize(series.prediction),
    });
    await using chunks = new PredictionChunks(id);
    await chunks.add(series);
    await chunks.store(tx);
  });
  return id;
}
