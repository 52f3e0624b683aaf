import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import {
  type ComparedScenarios,
  type CompareOptions,
  compareScenarios,
  type ScenarioSeries,
} from "#lib/engine/series/compare-scenarios";
import { toDomainError } from "./compared-rows.ts";

export type SeriesComparison = {
  scenarios: readonly ScenarioSeries[];
  baselineId: string;
  options: CompareOptions;
  /** Known values of the target; null if none is known. */
  actuals: KnownTarget | null;
};

/**
 * Runs `compareScenarios` as a task.
 *
 * @throws {DomainError} validation_failed if the scenarios have too many points to align or to send
 */
export async function compareSeries({
  scenarios,
  baselineId,
  options,
  actuals,
}: SeriesComparison): Promise<ComparedScenarios> {
  try {
    const among = actuals && ((times: Float64Array) => actualsAmong(actuals, times));
    return compareScenarios(scenarios, baselineId, options, among);
  } catch (error) {
    throw toDomainError(error, scenarios.length);
  }
}
