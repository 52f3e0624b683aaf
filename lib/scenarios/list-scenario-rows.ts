import type { Context } from "#lib/context/context";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { predictionRows } from "#lib/predictions/prediction-rows";
import { readPredictions, requireWhole } from "#lib/predictions/read-predictions";
import { runInputTask } from "./input/run-input-task.ts";
import { findReadyScenario } from "./scenario-predictions.ts";

const ROWS_DEFAULT = 50;
/** What a value takes in memory, roughly: the whole input is read for a page of it. */
const VALUE_BYTES = 8;
const COLUMNS_GUESSED = 20;

/**
 * Rows of a scenario, in the order of its input: what went in and what came out.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function listScenarioRows(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    offset = 0,
    ...ids
  }: { projectId: string; scenarioId: string; limit?: number | undefined; offset?: number | undefined },
): Promise<ScenarioRows> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const rowCount = scenario.rowCount ?? 0;
  const from = Math.min(offset, rowCount);
  const to = Math.min(rowCount, from + limit);
  const [{ columns }, series] = await Promise.all([
    runInputTask(
      "page",
      { inputKey: scenario.inputKey!, from, to },
      { bytes: rowCount * COLUMNS_GUESSED * VALUE_BYTES, open: nothingToRead },
    ),
    readPredictions(ctx.db, scenario.id, { from, to }),
  ]);
  requireWhole(series, to - from);
  return {
    rowCount,
    columns: columns.map(({ values: _values, ...column }) => column),
    rows: predictionRows(series, from + 1).map((row, index) => ({
      ...row,
      input: columns.map(({ values }) => values[index]!),
    })),
  };
}

const nothingToRead = async () => (async function* () {})();
