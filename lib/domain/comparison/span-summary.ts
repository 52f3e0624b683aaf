import type { Database } from "#db/client";
import type { Summary } from "#lib/contract/scenarios";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { storedSummary } from "#lib/domain/scenarios/panel/effective-series";
import { boundsOfShown, type ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";
import { totalIntervals, totalLevels, totalOfRows } from "#lib/engine/intervals/total-intervals";
import type { SeriesSpan } from "#lib/engine/series/compare-scenarios";
import { summarize } from "#lib/engine/series/summary";
import type { Context } from "#lib/platform/context/context";
import { overriddenTotal, squaresOf } from "./read-totals.ts";

const unknownTotal = { squaredWidths: Number.NaN };

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
  const isOverridden = scenario.overrides.length > 0;
  const stored = storedSummary(scenario);
  const isKnown = span.summary === null && stored !== null && levels === undefined;
  const overridden =
    isOverridden && rows && !isKnown ? await overriddenTotal(db, scenario, prediction, rows) : null;
  const found = await summaryOf();
  if (levels === undefined) return found;
  const total = { ...overridden, sum: found.sum ?? Number.NaN, count };
  return { ...found, ...totalLevels(levels, total, { sumInterval: found.sumInterval, shape }) };

  async function summaryOf(): Promise<Summary> {
    if (span.summary === null && stored !== null) return stored;
    const summary = span.summary ?? summarize(prediction);
    const sum = summary.sum ?? Number.NaN;
    if (isOverridden)
      return { ...summary, ...totalIntervals({ ...(overridden ?? unknownTotal), sum, count }, shape) };
    const squares =
      rows === null || totals === undefined
        ? Number.NaN
        : await squaresOf(db, scenario, totals, prediction, rows);
    return { ...summary, ...totalIntervals({ sum, count, squaredWidths: squares }, shape) };
  }
}

/** As `spanSummary`, for the sum of the chosen series of a scenario of many. */
export async function panelSummary(
  ctx: Context,
  shown: ShownScenario,
  { span, levels }: Pick<Spanned, "span" | "levels">,
): Promise<Summary> {
  const { prediction } = shown.points;
  const shape = shown.row.scenario.intervals;
  const summary = span.summary ?? summarize(prediction);
  const { from, to } = span.rows ?? { from: 0, to: 0 };
  const points = Int32Array.from({ length: to - from }, (_, at) => from + at);
  const { upper } = await boundsOfShown(ctx, shown)(points);
  const total = totalOfRows({ prediction: prediction.subarray(from, to), upper }, { from: 0, to: to - from });
  const found = totalIntervals({ ...total, ...(upper === null && unknownTotal) }, shape);
  return {
    ...summary,
    ...found,
    ...(levels && totalLevels(levels, total, { sumInterval: found.sumInterval, shape })),
  };
}
