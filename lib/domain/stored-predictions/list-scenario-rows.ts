import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { runInputTask } from "#lib/domain/scenarios/run/input-tasks";
import type { InputPage, ReadInputPage } from "#lib/domain/scenarios/run/read-input-page";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { placeOf } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { pageOf, predictedPage } from "./list-predictions.ts";

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
  const page = pageOf(scenario, offset, limit);
  const [{ columns }, rows] = await Promise.all([
    readPage({ inputKey: scenario.inputKey!, ...page }),
    predictedPage(ctx, scenario, { ...page, levels }),
  ]);
  return {
    rowCount: scenario.rowCount ?? 0,
    columns: columns.map(({ values: _values, ...column }) => column),
    rows: rows.map((row, index) => ({ ...row, input: columns.map(({ values }) => values[index]!) })),
  };
}

/** Reads a page of the input: in this thread if it spans few blocks, which holds for all but very wide inputs. */
async function readPage(page: ReadInputPage): Promise<InputPage> {
  const { layout } = await readInputNotes(page.inputKey);
  const { start, end } = placeOf(layout.blocks, page.from, page.to);
  return runInputTask("page", page, { bytes: (end - start) * COST_PER_BYTE });
}
