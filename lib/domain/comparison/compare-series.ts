import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import {
  type ComparedScenarios,
  type CompareOptions,
  compareScenarios,
  type ScenarioSeries,
} from "#lib/engine/series/compare-scenarios";
import { asRefusal } from "./compared-rows.ts";

export type SeriesComparison = {
  scenarios: readonly ScenarioSeries[];
  baselineId: string;
  options: CompareOptions;
  /** What is known of what they predict; null where nothing is. */
  actuals: KnownTarget | null;
};

/**
 * `compareScenarios` as a task.
 *
 * @throws {DomainError} validation_failed where they have too many points together, or more than can be sent
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
    throw asRefusal(error, scenarios.length);
  }
}
