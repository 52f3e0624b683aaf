import { actualsOf, type KnownTarget } from "#lib/actuals/actuals-of";
import { AlignmentTooLarge } from "#lib/series/align";
import {
  type ComparedScenarios,
  type CompareOptions,
  compareScenarios,
  type ScenarioSeries,
  TooManyToSend,
} from "#lib/series/compare-scenarios";
import { tooManyPoints, tooManyToSend } from "./compared-rows.ts";

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
    return compareScenarios(scenarios, baselineId, options, actuals && actualsOf(actuals));
  } catch (error) {
    if (error instanceof AlignmentTooLarge) throw tooManyPoints(error.points, scenarios.length);
    if (error instanceof TooManyToSend) throw tooManyToSend(error.points);
    throw error;
  }
}
