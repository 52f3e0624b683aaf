import type { Comparison } from "#lib/contract/scenario-series";
import type { TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { runSeriesTask } from "./series-tasks.ts";

type Differs = Comparison["differs"];

/** Results of recent comparisons. A scenario's input never changes once it is stored, so zooming need not read it again. */
const cache = new LruCache<Differs["inputs"]>(50);

/**
 * Returns the inputs that differ from the baseline's. Caches the result.
 *
 * @param stored the points of each scenario
 *
 * @throws as `differingInputs`
 */
export function cachedDifferingInputs(
  rows: readonly ScenarioRow[],
  stored: readonly TimedPredictions[],
  baseline: string,
): Promise<Differs["inputs"]> {
  const key = [baseline, ...rows.map(({ scenario }) => `${scenario.id} ${scenario.jobId}`)].join();
  return cache.get(key, () => findDiffering(rows, stored, baseline));
}

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Reading and comparing two
 * million rows takes as long as starting a thread. The event loop runs other work after each block.
 */
const COST_PER_ROW = 1 / 4;

async function findDiffering(
  rows: readonly ScenarioRow[],
  stored: readonly TimedPredictions[],
  baselineId: string,
): Promise<Differs["inputs"]> {
  const scenarios = rows.map(({ scenario }, index) => {
    const { prediction, timestamps } = stored[index]!;
    const [scenarioId, inputKey] = [scenario.id, scenario.inputKey!];
    return { scenarioId, inputKey, rowCount: prediction.length, timestamps };
  });
  const rowCount = scenarios.reduce((sum, one) => sum + one.rowCount, 0);
  const bytes = rowCount * COST_PER_ROW;
  const inputs = await runSeriesTask("differs", { scenarios, baselineId }, { bytes });
  return inputs.map(({ amounts, ...input }) => ({
    ...input,
    ...(amounts.length > 0 && {
      amounts: amounts.map(({ sum, ...amount }) => ({ ...amount, mean: sum / amount.rows })),
    }),
  }));
}
