import type { Queryable } from "#db/client";
import type { scenarioRuns } from "#db/schema/scenarios";
import type { Summary } from "#lib/contract/scenarios";
import { summarizeEffective } from "#lib/domain/scenarios/panel/summarize-effective";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { LruCache } from "#lib/platform/concurrency/lru-cache";

type StoredRun = Pick<
  typeof scenarioRuns.$inferSelect,
  "id" | "jobId" | "rowCount" | "inputKey" | "intervals" | "summary" | "firstTimestamp"
>;
type Summaries = { summary: Summary | null; calculatedSummary?: Summary };

/** Summaries of earlier runs with overrides. Neither a stored run nor an override changes. */
const cache = new LruCache<Summary>(500);

/**
 * Returns the effective summary of a run, as in the record of its scenario: people read effective values everywhere.
 *
 * @param scenario with its shown run, whose effective summary is stored
 */
export async function summariesOfRun(
  db: Queryable,
  { scenario }: ScenarioRow,
  run: StoredRun,
): Promise<Summaries> {
  const { overrides } = scenario;
  if (overrides.length === 0 || run.summary === null) return { summary: run.summary };
  if (run.id === scenario.runId) return { summary: scenario.summary, calculatedSummary: run.summary };
  const key = [run.id, ...overrides.map(({ id }) => id)].join();
  const calculatedSummary = run.summary;
  const summary = await cache.get(key, () =>
    summarizeEffective(db, { ...run, runId: run.id, overrides }, calculatedSummary),
  );
  return { summary, calculatedSummary };
}
