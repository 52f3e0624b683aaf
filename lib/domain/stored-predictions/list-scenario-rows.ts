import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { runInputTask } from "#lib/domain/scenarios/run/input-tasks";
import type { InputPage, ReadInputPage } from "#lib/domain/scenarios/run/read-input-page";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { placeOf } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { listPanelRows } from "./list-panel-rows.ts";
import { pageOf, predictedPage } from "./list-predictions.ts";

const ROWS_DEFAULT = 50;
/**
 * Cost of a stored byte, in the bytes by which `taskRunner` chooses between this thread and a new one. Reading stored rows
 * takes at most a tenth of the work of reading a CSV file.
 */
const COST_PER_BYTE = 0.1;
/** The same for a row of one of several series. Each may lie in another block of the input. */
const ROW_COST = 1_000;

/**
 * Lists rows of a scenario in the order of its input, with input values and predictions: all rows, or those of the chosen series.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for an invalid choice
 */
export async function listScenarioRows(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    offset = 0,
    levels,
    series,
    where,
    ...ids
  }: ScenarioRef & AtLevels & SeriesQuery & { limit?: number | undefined; offset?: number | undefined },
): Promise<ScenarioRows> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  const inputKey = scenario.inputKey!;
  const panel = await listPanelRows(ctx, row, { limit, offset, levels, series, where });
  if (panel !== null) {
    const { places, rows, rowCount } = panel;
    const bytes = places.length * ROW_COST;
    const { columns } = await runInputTask("page", { inputKey, rows: places }, { bytes });
    return { rowCount, ...withInput(columns, rows) };
  }
  const page = pageOf(scenario, offset, limit);
  const [{ columns }, rows] = await Promise.all([
    readPage({ inputKey, ...page }),
    predictedPage(ctx, scenario, { ...page, levels }),
  ]);
  return { rowCount: scenario.rowCount ?? 0, ...withInput(columns, rows) };
}

function withInput(
  columns: InputPage["columns"],
  rows: PredictionRow[],
): Pick<ScenarioRows, "columns" | "rows"> {
  return {
    columns: columns.map(({ values: _values, ...column }) => column),
    rows: rows.map((row, index) => ({ ...row, input: columns.map(({ values }) => values[index]!) })),
  };
}

/** Reads a page of the input: in this thread if it spans few blocks, which holds for all but very wide inputs. */
async function readPage(page: ReadInputPage & Rows): Promise<InputPage> {
  const { layout } = await readInputNotes(page.inputKey);
  const { start, end } = placeOf(layout.blocks, page.from, page.to);
  return runInputTask("page", page, { bytes: (end - start) * COST_PER_BYTE });
}
