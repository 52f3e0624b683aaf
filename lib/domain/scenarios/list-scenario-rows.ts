import type { Context } from "#lib/context/context";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { predictionRows } from "#lib/domain/scenarios/predictions/prediction-rows";
import { readPredictions, requireWhole } from "#lib/domain/scenarios/predictions/read-predictions";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { findReadyScenario } from "#lib/scenarios/scenario-predictions";
import type { InputPage, ReadInputPage } from "./run/read-input-page.ts";
import { readNotes } from "./run/scenario-input.ts";
import { placeOf } from "./run/stored-input.ts";

const ROWS_DEFAULT = 50;
/** Of bytes that are stored as rows: a tenth of the work of a file's, at most. */
const WEIGHT = 0.1;

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
    readPage({ inputKey: scenario.inputKey!, from, to }),
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

/** Here where there are a few blocks to read, as of all but very wide inputs. */
async function readPage(page: ReadInputPage): Promise<InputPage> {
  const { layout } = await readNotes(page.inputKey);
  const { start, end } = layout === null ? wholeFile : placeOf(layout.blocks, page.from, page.to);
  return runInputTask("page", page, { bytes: (end - start) * WEIGHT });
}

/** Where its rows lie was not noted. */
const wholeFile = { start: 0, end: Number.POSITIVE_INFINITY };
