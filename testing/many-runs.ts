import { eq } from "drizzle-orm";
import { jobs } from "#db/schema/jobs";
import { predictionChunks, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";

const DAY_MS = 86_400_000;

/**
 * Copies a scenario with one completed run until its project has as many scenarios with as many runs as asked. The runs of a scenario
 * completed a day after each other, all before today, and read one input.
 *
 * @returns the ids of the copied scenarios
 */
export async function copyRuns(
  scenarioId: string,
  count: { scenarios: number; runs: number },
): Promise<string[]> {
  const db = database();
  const [scenario] = await db.select().from(scenarios).where(eq(scenarios.id, scenarioId));
  const [run] = await db.select().from(scenarioRuns).where(eq(scenarioRuns.scenarioId, scenarioId));
  const [job] = await db.select().from(jobs).where(eq(jobs.id, run!.jobId));
  const chunks = await db.select().from(predictionChunks).where(eq(predictionChunks.runId, run!.id));
  const ids: string[] = [];
  for (let copy = 0; copy < count.scenarios; copy++) {
    const id = newId();
    ids.push(id);
    const runs = Array.from({ length: count.runs }, (_, at) => {
      const at_ = new Date(run!.createdAt.getTime() - (count.runs - at) * DAY_MS);
      const runId = at === 0 ? id : newId();
      return { ...run!, id: runId, scenarioId: id, jobId: newId(), createdAt: at_, completedAt: at_ };
    });
    await db.transaction(async (tx) => {
      // Disables triggers, because no running job writes these predictions.
      await tx.execute("set local session_replication_role = replica");
      await tx.insert(scenarios).values({
        ...scenario!,
        id,
        title: `Copy ${copy + 1}`,
        shownRunId: runs.at(-1)!.id,
      });
      await tx.insert(jobs).values(
        runs.map(({ jobId, createdAt }) => ({
          ...job!,
          id: jobId,
          scenarioId: id,
          createdAt,
          startedAt: createdAt,
          finishedAt: createdAt,
        })),
      );
      await tx.insert(scenarioRuns).values(runs);
      await tx
        .insert(predictionChunks)
        .values(runs.flatMap(({ id: runId }) => chunks.map((chunk) => ({ ...chunk, runId }))));
    });
  }
  return ids;
}
