import type { Table } from "#lib/contract/table";
import { indexSeries, rowsOfSeries } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import type { LinkedProject } from "./linked-models.ts";
import type { LinkedSeries } from "./linked-series.ts";
import { knownSteps } from "./series-tables.ts";
import { stepsOfRows, whyNotJoined } from "./steps-of-rows.ts";

/** Rows of another project, which are read again for each use. */
export type RowsToJoin = { timestamp: string; blocks: () => Iterable<Table> | AsyncIterable<Table> };

/**
 * Returns why a row has no step of an upstream project's series: it is before the first one, or of an unknown series. Null if
 * every row has a step.
 */
export async function whyBeforeSteps(
  series: LinkedSeries,
  upstream: LinkedProject,
  rows: RowsToJoin,
): Promise<string | null> {
  const { model, projectId } = upstream;
  const kept = model.history && (await whyBefore(upstream, model.history, rows));
  // The rows that the model keeps begin first. Only of many series, and for an imported model, the dataset may have earlier ones.
  if (model.history && (kept === null || !model.state.series)) return kept;
  const history = await series.history(projectId);
  return history && whyBefore(upstream, history, rows);
}

async function whyBefore(
  { model, facts }: LinkedProject,
  history: Table,
  { timestamp, blocks }: RowsToJoin,
): Promise<string | null> {
  const { series, target } = model.state;
  const columns = series?.columns ?? [];
  const { grid, timestamp: time } = facts!;
  const steps = knownSteps(model, facts!, history);
  const firstOf = columns.length > 0 ? rowsOfSeries(indexSeries(steps, columns)).map(([row]) => row!) : [0];
  const first = takeRows(steps, Int32Array.from(firstOf.slice(0, steps.rowCount)));
  let before = 0;
  for await (const table of blocks()) {
    const why = whyNotJoined(table, target, columns);
    if (why !== null) return why;
    const times = numericValues(table, timestamp);
    const at = stepsOfRows(first, { times, table }, { timestamp: time, grid, columns }).indexOf(-1);
    if (at === -1) {
      before += table.rowCount;
      continue;
    }
    const row = `row ${before + at + 1}, at ${isoTime(times[at]!)},`;
    const own = { times: Float64Array.of(Number.POSITIVE_INFINITY), table: takeRows(table, [at]) };
    const [begin = -1] = stepsOfRows(first, own, { timestamp: time, grid: null, columns });
    return begin === -1
      ? `${row} is of a series without known rows in the upstream project`
      : `${row} is before the first known row there, ${isoTime(numericValues(first, time)[begin]!)}`;
  }
  return null;
}

const isoTime = (time: number) => new Date(time).toISOString();
