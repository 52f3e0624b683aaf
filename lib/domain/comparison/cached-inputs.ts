import type { Comparison } from "#lib/contract/scenario-series";
import type { Points } from "#lib/domain/scenarios/predictions/read-predictions";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { Remembered } from "#lib/platform/concurrency/lru-cache";
import { runInputTask } from "#lib/scenarios/input/run-input-task";

type Differs = Comparison["differs"];

/** What differed the last times. Inputs never change once a scenario is made: zooming need not read them again. */
const remembered = new Remembered<Differs["inputs"]>(50);

/**
 * Which inputs differ from the baseline's, of scenarios whose points these are.
 *
 * @throws as `differingInputs`
 */
export function rememberedInputs(
  rows: readonly ScenarioRow[],
  stored: readonly Points[],
  baseline: string,
): Promise<Differs["inputs"]> {
  const key = [baseline, ...rows.map(({ scenario }) => `${scenario.id} ${scenario.jobId}`)].join();
  return remembered.get(key, () => findDiffering(rows, stored, baseline));
}

/** Two million rows are read and compared in the time that a thread takes to start, and others have their turn after each block. */
const BYTES_PER_ROW = 1 / 4;

function findDiffering(
  rows: readonly ScenarioRow[],
  stored: readonly Points[],
  baselineId: string,
): Promise<Differs["inputs"]> {
  const scenarios = rows.map(({ scenario }, index) => {
    const { prediction, timestamps } = stored[index]!;
    const [scenarioId, inputKey] = [scenario.id, scenario.inputKey!];
    return { scenarioId, inputKey, rowCount: prediction.length, timestamps };
  });
  const rowCount = scenarios.reduce((sum, one) => sum + one.rowCount, 0);
  const bytes = rowCount * BYTES_PER_ROW;
  return runInputTask("differs", { scenarios, baselineId }, { bytes });
}
