import { inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import type { Comparison } from "#lib/contract/scenario-series";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import type { ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { alignPanels } from "#lib/engine/panel/align-panels";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { runSeriesTask } from "./series-tasks.ts";

type Differs = Comparison["differs"];

/** Results of recent comparisons. A run's input never changes once it is stored, so zooming need not read it again. */
const cache = new LruCache<Differs["inputs"]>(50);

/**
 * Returns the inputs that differ from the baseline's, over all rows of all series. Caches the result. Scenarios with many series
 * and with one have no rows in common, so no input of theirs is compared.
 *
 * @throws as `differingInputs`
 */
export function cachedDifferingInputs(
  { db }: Pick<Context, "db">,
  rows: readonly ScenarioRow[],
  shown: readonly ShownScenario[],
  baseline: string,
): Promise<Differs["inputs"]> {
  const key = [baseline, ...rows.flatMap(({ name, scenario }) => [name, scenario.runId])].join();
  return cache.get(key, () => findDiffering(db, shown, baseline));
}

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Reading and comparing a
 * million rows takes longer than starting a thread. The event loop runs other work after each block.
 */
const COST_PER_ROW = 1 / 2;

async function findDiffering(
  db: Database,
  shown: readonly ShownScenario[],
  baselineId: string,
): Promise<Differs["inputs"]> {
  const panels = shown.flatMap(({ panel }) => panel?.panel ?? []);
  if (panels.length > 0 && panels.length < shown.length) return [];
  const scenarios = shown.map(({ row: { name, scenario }, points: { prediction, timestamps } }) => {
    const [scenarioId, inputKey] = [name, scenario.inputKey!];
    return { scenarioId, inputKey, rowCount: prediction.length, timestamps };
  });
  const rowCount = shown.reduce((sum, { row }) => sum + (row.scenario.rowCount ?? 0), 0);
  const bytes = rowCount * COST_PER_ROW;
  const aligned = panels.length > 0 ? alignPanels(panels) : undefined;
  const timeColumns = await timeColumnsOf(
    db,
    shown.map(({ row }) => row),
  );
  const request = { scenarios, baselineId, timeColumns, aligned };
  const inputs = await runSeriesTask("differs", request, { bytes });
  return inputs.map(({ amounts, ...input }) => ({
    ...input,
    ...(amounts.length > 0 && {
      amounts: amounts.map(({ sum, ...amount }) => ({ ...amount, mean: sum / amount.rows })),
    }),
  }));
}

/** Returns the names of the scenarios' time: that of each model, or of the dataset for a model that reads no time. */
async function timeColumnsOf(db: Database, rows: readonly ScenarioRow[]): Promise<string[]> {
  const ids = rows.flatMap(({ scenario }) => scenario.checkpointId ?? []);
  const used = await db
    .select({ id: checkpoints.id, features: checkpoints.inputFeatures })
    .from(checkpoints)
    .where(inArray(checkpoints.id, ids));
  const dataset = await currentDataset(db, rows[0]!.scenario.projectId);
  return rows.flatMap(({ scenario }) => {
    const features = used.find(({ id }) => id === scenario.checkpointId)?.features ?? [];
    // The parts of a joined time have its role, too, but hold numbers.
    const time = features.find(({ role, type }) => role === "timestamp" && type === "timestamp");
    return time?.name ?? dataset?.timestampColumns?.[0] ?? [];
  });
}
