import type { Contributions } from "#lib/contract/scenario-series";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { requireScenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { presentContributions } from "#lib/engine/inference/contributions";
import type { Context } from "#lib/platform/context/context";
import { type ErrorDetail, issueError, requireNoIssues } from "#lib/platform/errors/domain-error";
import { runExplainTask } from "./explain-tasks.ts";

/**
 * Returns each feature's contribution to the predictions of the given rows (numbered from 1). In every row, `baseValue` and
 * the contributions add up to the prediction on the `scale`.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready, checkpoint_not_found if the checkpoint of an earlier
 *   run was deleted, validation_failed for rows that do not exist, rows without
 *   a finite prediction, or a model without contributions
 */
export async function explainPredictions(
  ctx: Context,
  { rows, ...ids }: ScenarioRef & { rows: readonly number[] },
): Promise<Contributions> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  const { projectId } = scenario;
  const rowCount = scenario.rowCount ?? 0;
  const absent = rows.filter((one) => one < 1 || one > rowCount);
  requireNoIssues("validation_failed", noSuchRows(absent, rowCount));
  const models = await requireScenarioModels(ctx.db, row);
  const series = new LinkedSeries(ctx.db, models.folders);
  const { knownUntil } = await StoredInput.open(scenario.inputKey!);
  const { predictions, contributions } = await runExplainTask(
    "explainStored",
    {
      artifactKey: series.folderOf(projectId),
      inputKey: scenario.inputKey!,
      rows: rows.map((one) => one - 1),
      readsEarlierRows: models.rowsBuildOnEachOther,
      history: models.readsTarget ? await series.historyUntil(projectId, knownUntil) : undefined,
    },
    ctx.signal,
  );
  requireNoIssues("validation_failed", notFinite(rows, predictions));
  if (contributions === undefined) {
    const message = "This model does not provide feature contributions.";
    throw issueError("validation_failed", { id: scenario.checkpointId!, code: "no_contributions", message });
  }
  return { rows: [...rows], ...presentContributions(contributions), predictions: Array.from(predictions) };
}

function notFinite(rows: readonly number[], predictions: Float64Array): ErrorDetail[] {
  return rows
    .filter((_, at) => !Number.isFinite(predictions[at]!))
    .map((row) => ({
      field: "rows",
      row,
      code: "not_finite",
      message: `Row ${row} has no contributions, because the model returned no finite number for it.`,
    }));
}

function noSuchRows(absent: readonly number[], rowCount: number): ErrorDetail[] {
  return absent.map((row) => ({
    field: "rows",
    row,
    code: "no_such_row",
    message: `Row ${row} does not exist. The scenario has rows 1 to ${rowCount}.`,
  }));
}
