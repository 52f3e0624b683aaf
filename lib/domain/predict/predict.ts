import type { Database } from "#db/client";
import type { Prediction, PredictRequest } from "#lib/contract/predictions";
import type { Warning } from "#lib/contract/warnings";
import { findCheckpoint, upstreamCheckpointsOf } from "#lib/domain/checkpoints/find-checkpoint";
import { newerDefaults } from "#lib/domain/checkpoints/newer-defaults";
import { servingSeries } from "#lib/domain/models/linked/serving-series";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import { openModel } from "#lib/domain/models/open-model";
import { leasedServingModel } from "#lib/domain/models/serving-leases";
import type { ServingModel } from "#lib/domain/models/serving-model";
import { runExplainTask } from "#lib/domain/stored-predictions/explain-tasks";
import { presentContributions } from "#lib/engine/inference/contributions";
import type { PredictResult } from "#lib/engine/inference/predict-table";
import { presentLevels } from "#lib/engine/intervals/levels";
import { Leases, ValueLease } from "#lib/platform/concurrency/leases";
import type { Context } from "#lib/platform/context/context";
import { perDatabase } from "#lib/platform/database/per-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { metrics } from "#lib/platform/metrics/metrics";
import { completeInput } from "./complete-input.ts";

/**
 * Predicts rows for a project. The model looks back at the newest known rows of the project.
 *
 * @param observeSeconds receives the duration of the model's prediction
 * @throws {DomainError} checkpoint_not_found, no_trained_model, input_invalid with every issue
 */
export async function predict(
  ctx: Context,
  { projectId, input, checkpointId, include = [], levels }: PredictRequest & { projectId: string },
  observeSeconds = (seconds: number) => metrics().inferenceSeconds.observe(seconds),
): Promise<Prediction> {
  const chosen = await chooseModel(ctx.db, { projectId, checkpointId: checkpointId ?? null });
  const opened = await openModel(chosen.artifactKey, chosen.sha256);
  // A model without a time grid and without upstream features needs no known rows.
  const isAlone = opened.state.grid === null && opened.upstream.length === 0;
  const series = isAlone ? null : await servingSeries(ctx.db, projectId, chosen);
  const model = opened.state.grid === null ? opened : await series!.newestModel(projectId);
  const { checked, warnings } = await completeInput(model, input, { projectId, series });
  const computes = model.upstream.some(({ feature }) => !Object.hasOwn(input, feature));
  const older = computes ? await olderUpstream(ctx, projectId, chosen.checkpointId) : [];
  const { classes } = model.state;
  const startedMs = performance.now();
  const wanted = {
    intervals: include.includes("intervals"),
    contributions: include.includes("contributions"),
  };
  const result = wanted.contributions
    ? await runExplainTask(
        "explainTable",
        {
          artifactKey: chosen.artifactKey,
          sha256: chosen.sha256,
          table: checked.table,
          history: await series?.newestHistory(projectId),
          include: wanted,
        },
        ctx.signal,
      )
    : await model.predict(checked.table, { include: wanted, checked }).catch(rethrowRejection("input"));
  observeSeconds((performance.now() - startedMs) / 1_000);
  checkFinite(result.predictions);
  return {
    predictions: Array.from(result.predictions),
    rowCount: checked.table.rowCount,
    checkpointId: chosen.checkpointId,
    modelName: chosen.modelName,
    target: chosen.target,
    ...(classes && { classes: [...classes] }),
    ...present(result, levels),
    warnings: [
      ...warnings,
      ...older,
      ...result.warnings,
      ...absentParts({ include, levels, areClasses: classes !== undefined }, result),
    ].map(presentWarning),
  };
}

/** Warns of each upstream checkpoint pinned by the checkpoint, if its project has a newer default checkpoint. */
async function olderUpstream(
  { db }: Context,
  projectId: string,
  checkpointId: string | null,
): Promise<Warning[]> {
  if (checkpointId === null) return [];
  const pinned = await upstreamCheckpointsOf(db, checkpointId);
  const stale = await newerDefaults(db, projectId, Object.values(pinned));
  return [...stale.values()].map((pin) => ({
    code: "newer_upstream_default",
    message: `The checkpoint was created with ${JSON.stringify(pin.label)} (${pin.checkpointId}) of project ${pin.projectId}. A newer default exists: ${JSON.stringify(pin.defaultLabel)} (${pin.defaultCheckpointId}).`,
  }));
}

function present(
  { predictions, intervals, contributions }: PredictResult,
  levels: readonly number[] | undefined,
): Pick<Prediction, "intervals" | "contributions"> {
  return {
    ...(intervals && {
      intervals: {
        level: intervals.level,
        lower: Array.from(intervals.lower),
        upper: Array.from(intervals.upper),
        ...(levels && {
          levels: presentLevels(levels, { ...intervals, predictions, shape: intervals.shape ?? null }),
        }),
      },
    }),
    ...(contributions && { contributions: presentContributions(contributions) }),
  };
}

function presentWarning(warning: Warning): Warning {
  return { ...warning, column: warning.column ?? null, rows: warning.rows ?? null };
}

/** Warns of requested parts that the model cannot provide. */
function absentParts(
  {
    include,
    levels,
    areClasses,
  }: { include: readonly string[]; levels: readonly number[] | undefined; areClasses: boolean },
  result: PredictResult,
): Warning[] {
  const warnings: Warning[] = [];
  if (levels && result.intervals && !result.intervals.shape) {
    const message = "The model is older than intervals at other levels. Train it again to get them.";
    warnings.push({ code: "no_levels", message });
  }
  if (include.includes("intervals") && !result.intervals) {
    const message = areClasses
      ? "The model predicts a probability, which has no prediction interval."
      : "The model was never validated on known values, so it has no prediction intervals.";
    warnings.push({ code: "no_intervals", message });
  }
  if (include.includes("contributions") && !result.contributions) {
    warnings.push({
      code: "no_contributions",
      message: "This model does not provide feature contributions.",
    });
  }
  return warnings;
}

/** An imported model may return NaN or infinity, which JSON cannot represent. */
function checkFinite(predictions: Float64Array): void {
  if (predictions.every(Number.isFinite)) return;
  const details = Array.from(predictions.entries())
    .filter(([, value]) => !Number.isFinite(value))
    .map(([row]) => ({
      row: row + 1,
      code: "not_finite",
      message: `Row ${row + 1}: the model returned no finite number.`,
    }));
  const [first] = details;
  throw new DomainError("input_invalid", first!.message, { details });
}

const namedCheckpoints = perDatabase("named checkpoints", () => new Leases<ServingModel>());

/**
 * Chooses the model that answers a prediction: the given checkpoint's, else the serving model. Concurrent calls share one
 * database query.
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model
 */
async function chooseModel(
  db: Database,
  { projectId, checkpointId }: { projectId: string; checkpointId: string | null },
): Promise<ServingModel> {
  if (checkpointId === null) {
    const serving = await leasedServingModel(db, projectId);
    if (serving === null) throw standardError("no_trained_model", { id: projectId });
    return serving;
  }
  const key = `${projectId} ${checkpointId}`;
  return namedCheckpoints(db).use(key, async ({ requestedMs }) => {
    const model = await checkpointModel(db, projectId, checkpointId);
    return new ValueLease(model, requestedMs, 0);
  });
}

/** @throws {DomainError} checkpoint_not_found */
async function checkpointModel(db: Database, projectId: string, checkpointId: string): Promise<ServingModel> {
  const { id, modelId, modelName, target, artifactKey, sha256 } = await findCheckpoint(db, {
    projectId,
    checkpointId: checkpointId.toLowerCase(),
    field: "checkpointId",
  });
  return { checkpointId: id, modelId, modelName, target, artifactKey, sha256 };
}
