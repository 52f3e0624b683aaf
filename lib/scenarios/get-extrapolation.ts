import type { Context } from "#lib/context/context";
import type { Extrapolation } from "#lib/contract/extrapolation";
import { standardError } from "#lib/errors/standard-error";
import { openModel } from "#lib/models/open-model";
import { cachedPredictions } from "#lib/predictions/series-cache";
import { align } from "#lib/series/align";
import { runInputTask } from "./run-input-task.ts";
import { scenarioModels } from "./scenario-models.ts";
import { findReadyScenario } from "./scenario-predictions.ts";

/** What a feature's values take in memory, roughly. */
const VALUE_BYTES = 8;

/**
 * Where a scenario's input is outside of what its model was trained on: by feature, and the stretches of rows.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function getExtrapolation(
  ctx: Context,
  ids: { projectId: string; scenarioId: string },
): Promise<Extrapolation> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const models = await scenarioModels(ctx.db, scenario);
  // It was there a moment ago: a checkpoint goes only after its scenarios.
  if (models === null) throw standardError("scenario_not_found");
  const { inputFeatures } = await openModel(models.folders.get(ids.projectId)!);
  const { timestamps } = await cachedPredictions(ctx.db, scenario);
  const rowCount = scenario.rowCount ?? 0;
  const order = align([{ rowCount, timestamps }]).rowOf[0]!;
  const found = await runInputTask(
    "outside",
    { inputKey: scenario.inputKey!, features: inputFeatures, order },
    { bytes: rowCount * inputFeatures.length * VALUE_BYTES, open: nothingToRead },
  );
  const timeOf = (at: number) => (timestamps === null ? null : new Date(timestamps[at]!).toISOString());
  return {
    rowCount,
    features: found.features.map((one) => ({ ...one, firstTimestamp: timeOf(one.firstRow - 1) })),
    spans: found.spans.map(({ first, last, features }) => ({
      firstRow: order[first]! + 1,
      lastRow: order[last]! + 1,
      from: timeOf(order[first]!),
      to: timeOf(order[last]!),
      features,
    })),
  };
}

const nothingToRead = async () => (async function* () {})();
