import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import type { PanelBackTests } from "./panel-backtests.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Returns the rows whose values the local methods treat as gaps, from 0. */
export function ignoredRows(data: PanelData, { local }: PanelLearner): number[] {
  return local.flatMap(({ ignored = [] }, place) => {
    if (ignored.length === 0) return [];
    const cells = new Set(ignored);
    const rows: number[] = [];
    for (let row = data.starts[place]!; row < data.starts[place + 1]!; row++)
      if (cells.has(data.cells[row]!)) rows.push(row);
    return rows;
  });
}

/** Removes ignored values from the actual values, so that they do not widen the intervals of all others. */
export function withoutIgnored(tests: PanelBackTests, rows: readonly number[]): PanelBackTests {
  const ignored = new Set(rows);
  if (ignored.size === 0) return tests;
  const masked = (values: Float64Array) =>
    values.map((value, at) => (ignored.has(tests.rows[at]!) ? Number.NaN : value));
  return { ...tests, actual: masked(tests.actual), remainders: masked(tests.remainders) };
}
