import type { Queryable } from "#db/client";
import type { Summary } from "#lib/contract/scenarios";
import { addTotals, type Total, totalIntervals, totalOfRows } from "#lib/engine/intervals/total-intervals";
import { PanelTotal } from "#lib/engine/panel/panel-total";
import { RunningSummary, summarize } from "#lib/engine/series/summary";
import { panelColumns } from "./cached-panel.ts";
import { type OverriddenScenario, readEffectiveFrom } from "./effective-series.ts";

/**
 * Summarizes the effective predictions of a scenario as `predictScenario` summarizes the calculated ones. Reads them chunk by chunk, so
 * the longest scenario needs little memory.
 *
 * @param calculated summary of the calculated predictions
 */
export async function summarizeEffective(
  db: Queryable,
  scenario: OverriddenScenario,
  calculated: Summary,
): Promise<Summary> {
  const rowCount = scenario.rowCount ?? 0;
  const summary = new RunningSummary();
  const panel = (await panelColumns(scenario)) && new PanelTotal();
  let total: Total | null = null;
  for (let from = 0; from < rowCount; ) {
    const part = await readEffectiveFrom(db, scenario, { from, rowCount, isTimed: true });
    const { timestamps, prediction } = part;
    summary.add(prediction);
    if (timestamps !== null) panel?.add(timestamps, prediction, part.upper);
    const own = totalOfRows(part, { from: 0, to: prediction.length });
    total = total === null ? own : addTotals(total, own);
    from += prediction.length;
  }
  const rows = { ...(total ?? noTotal), sum: summary.value.sum ?? Number.NaN };
  const intervals = totalIntervals(panel?.total(scenario.intervals) ?? rows, scenario.intervals);
  const { generatedShare } = calculated;
  return {
    ...(panel ? summarize(panel.sums) : summary.value),
    ...intervals,
    ...(generatedShare !== undefined && { generatedShare }),
  };
}

const noTotal: Total = { sum: Number.NaN, count: 0, squaredWidths: 0 };
