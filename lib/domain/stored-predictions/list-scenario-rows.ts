import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import { readPredictions, requireComplete } from "#lib/domain/scenarios/chunks/read-predictions";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { runInputTask } from "#lib/domain/scenarios/run/input-tasks";
import type { InputPage, ReadInputPage } from "#lib/domain/scenarios/run/read-input-page";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { placeOf } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { predictionRows } from "./prediction-rows.ts";

const ROWS_DEFAULT = 50;
/**
 * Cost of a stored byte, in the bytes by which `taskRunner` chooses between this thread and a new one. Reading stored rows
 * takes at most a tenth of the work of reading a CSV file.
 */
const COST_PER_BYTE = 0.1;

/**
 * Lists rows of a scenario in the order of its input, with input values and predictions.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function listScenarioRows(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    offset = 0,
    levels,
    ...ids
  }: ScenarioRef & AtLevels & { limit?: number | undefined; offset?: number | undefined },
): Promise<ScenarioRows> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const rowCount = scenario.rowCount ?? 0;
  const from = Math.min(offset, rowCount);
  const to = Math.min(rowCount, from + limit);
  const [{ columns }, series] = await Promise.all([
    readPage({ inputKey: scenario.inputKey!, from, to }),
    readPredictions(ctx.db, scenario.id, { from, to }),
  ]);
  requireComplete(series, to - from);
  return {
    rowCount,
    columns: columns.map(({ values: _values, ...column }) => column),
    rows: predictionRows(series, { firstRow: from + 1, levels, shape: scenario.intervals }).map(
      (row, index) => ({
        ...row,
        input: columns.map(({ values }) => values[index]!),
      }),
    ),
  };
}

/** Reads a page of the input: in this thread if it spans few blocks, which holds for all but very wide inputs. */
async function readPage(page: ReadInputPage): Promise<InputPage> {
  const { layout } = await readInputNotes(page.inputKey);
  const { start, end } = placeOf(layout.blocks, page.from, page.to);
  return runInputTask("page", page, { bytes: (end - start) * COST_PER_BYTE });
}
