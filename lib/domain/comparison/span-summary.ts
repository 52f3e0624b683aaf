import type { Database } from "#db/client";
import type { Summary } from "#lib/contract/scenarios";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";
import { totalIntervals, totalLevels } from "#lib/engine/intervals/total-intervals";
import type { SeriesSpan } from "#lib/engine/series/compare-scenarios";
import { summarize } from "#lib/engine/series/summary";
import { squaresOf } from "./read-totals.ts";

type Spanned = {
  span: SeriesSpan;
  totals: StoredTotals | undefined;
  /** Predictions of all rows. */
  prediction: Float64Array;
  levels?: readonly number[] | undefined;
};

/**
 * Summarizes a scenario over a span, with the intervals of the sum and of the mean. For all rows, returns the stored summary.
 *
 * @throws {DomainError} scenario_not_found if the scenario was deleted during the request
 */
export async function spanSummary(
  db: Database,
  scenario: ScenarioRow["scenario"],
  { span, totals, prediction, levels }: Spanned,
): Promise<Summary> {
  const { intervals: shape } = scenario;
  const { rows, valueCount: count } = span;
  const found = await summaryOf();
  if (levels === undefined) return found;
  const total = { sum: found.sum ?? Number.NaN, count };
  return { ...found, ...totalLevels(levels, total, { sumInterval: found.sumInterval, shape }) };

  async function summaryOf(): Promise<Summary> {
    if (span.summary === null) return scenario.summary ?? summarize(prediction);
    const squares =
      rows === null || totals === undefined
        ? Number.NaN
        : await squaresOf(db, scenario, totals, prediction, rows);
    const sum = span.summary.sum ?? Number.NaN;
    return { ...span.summary, ...totalIntervals({ sum, count, squaredWidths: squares }, shape) };
  }
}
