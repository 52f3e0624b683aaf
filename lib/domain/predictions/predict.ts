import type { Context } from "#lib/context/context";
import type { Warning } from "#lib/contract/datasets";
import type { Prediction, PredictRequest } from "#lib/contract/predictions";
import { newerDefaults } from "#lib/domain/checkpoints/newer-defaults";
import { openModel } from "#lib/domain/models/open-model";
import { servingSeries } from "#lib/domain/predictions/serving-series";
import type { PredictResult } from "#lib/engine/inference/predict-table";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { DomainError } from "#lib/platform/errors/domain-error";
import { metrics } from "#lib/platform/metrics/metrics";
import { chooseModel, pinnedUpstream } from "./choose-model.ts";
import { prepareInput } from "./complete-input.ts";

/**
 * Predicts rows for a project, looking back at the newest rows that it knows.
 *
 * @param tellSeconds how long the model took
 * @throws {DomainError} checkpoint_not_found, no_trained_model, input_invalid naming every fault
 */
export async function predict(
  ctx: Context,
  { projectId, input, checkpointId, include = [] }: PredictRequest & { projectId: string },
  tellSeconds = (seconds: number) => metrics().inferenceSeconds.observe(seconds),
): Promise<Prediction> {
  const chosen = await chooseModel(ctx.db, { projectId, checkpointId: checkpointId ?? null });
  const opened = await openModel(chosen.artifactKey, chosen.sha256);
  // One that looks back at nothing, and at nobody, needs no rows that are known.
  const isAlone = opened.state.grid === null && opened.upstream.length === 0;
  const series = isAlone ? null : await servingSeries(ctx.db, projectId, chosen);
  const model = opened.state.grid === null ? opened : await series!.newestModel(projectId);
  const upstreamModel = async (id: string) => (series?.has(id) ? series.newestModel(id) : null);
  const { checked, warnings } = await prepareInput(model, input, upstreamModel);
  const computes = model.upstream.some(({ feature }) => !Object.hasOwn(input, feature));
  const older = computes ? await olderUpstream(ctx, projectId, chosen.checkpointId) : [];
  const startedMs = performance.now();
  const wanted = {
    intervals: include.includes("intervals"),
    contributions: include.includes("contributions"),
  };
  const result = await model.predict(checked.table, { include: wanted, checked }).catch(refused);
  tellSeconds((performance.now() - startedMs) / 1_000);
  checkFinite(result.predictions);
  return {
    predictions: Array.from(result.predictions),
    rowCount: checked.table.rowCount,
    checkpointId: chosen.checkpointId,
    modelName: chosen.modelName,
    target: chosen.target,
    ...present(result),
    warnings: [...warnings, ...older, ...result.warnings, ...absentParts(include, result)].map(
      presentWarning,
    ),
  };
}

/** What of the checkpoints that a checkpoint was made with is not the newest any more. */
async function olderUpstream(
  { db }: Context,
  projectId: string,
  checkpointId: string | null,
): Promise<Warning[]> {
  if (checkpointId === null) return [];
  const pinned = await pinnedUpstream(db, checkpointId);
  const stale = await newerDefaults(db, projectId, pinned);
  return [...stale.values()].map((pin) => ({
    code: "newer_upstream_default",
    message: `The checkpoint was made with ${JSON.stringify(pin.label)} (${pin.checkpointId}) of the project ${pin.projectId}; a newer default exists: ${JSON.stringify(pin.defaultLabel)} (${pin.defaultCheckpointId}).`,
  }));
}

/** A model from outside may take fewer values than its features' types, or more time or memory than it is given. */
function refused(cause: unknown): never {
  if (!(cause instanceof ModelInvalid)) throw cause;
  throw new DomainError("input_invalid", cause.message, {
    cause,
    details: [{ field: "input", code: "model_refused", message: cause.message }],
  });
}

function present({
  intervals,
  contributions,
}: PredictResult): Pick<Prediction, "intervals" | "contributions"> {
  return {
    ...(intervals && {
      intervals: {
        level: intervals.level,
        lower: Array.from(intervals.lower),
        upper: Array.from(intervals.upper),
      },
    }),
    ...(contributions && {
      contributions: { ...contributions, values: contributions.values.map((row) => Array.from(row)) },
    }),
  };
}

function presentWarning(warning: Warning): Warning {
  return { ...warning, column: warning.column ?? null, rows: warning.rows ?? null };
}

/** What was asked for and the model cannot tell. */
function absentParts(include: readonly string[], result: PredictResult): Warning[] {
  const warnings: Warning[] = [];
  if (include.includes("intervals") && !result.intervals) {
    const message = "The model was never compared with known values, so it has no intervals.";
    warnings.push({ code: "no_intervals", message });
  }
  if (include.includes("contributions") && !result.contributions) {
    warnings.push({
      code: "no_contributions",
      message: "This model cannot tell its features' contributions.",
    });
  }
  return warnings;
}

/** A model from outside may answer what is no number; JSON has no word for that. */
function checkFinite(predictions: Float64Array): void {
  if (predictions.every(Number.isFinite)) return;
  const details = Array.from(predictions.entries())
    .filter(([, value]) => !Number.isFinite(value))
    .map(([row]) => ({
      row: row + 1,
      code: "not_finite",
      message: `Row ${row + 1}: the model gives no finite number.`,
    }));
  const [first] = details;
  throw new DomainError("input_invalid", first!.message, { details });
}
