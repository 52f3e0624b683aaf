import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { models } from "#db/schema/models";
import type { NumericColumn, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import type { Warning } from "#lib/contract/warnings";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { numericValues } from "#lib/engine/table/columns";
import { issueError } from "#lib/platform/errors/domain-error";
import { asOfJoin, type PastPredictions } from "./as-of-join.ts";
import type { LinkedSeries } from "./linked/linked-series.ts";
import { servingSeries } from "./linked/serving-series.ts";
import { whyNotJoined } from "./linked/steps-of-rows.ts";
import { type OpenModel, openModel } from "./open-model.ts";
import { outOfFoldPredictions } from "./out-of-fold.ts";
import type { PreparationOptions, PrepareTraining } from "./prepared-training.ts";
import { type ServingModel, servingModel } from "./serving-model.ts";

type UpstreamColumnRequest = { projectId: string; feature: string; rows: Table; timestamp: string | null };
type Found = {
  column: NumericColumn;
  /** Predictions as from generated inputs of the upstream project; absent if they are unknown. */
  generated?: NumericColumn | undefined;
  checkpointId: string | null;
  warnings: Warning[];
};

/**
 * Returns an upstream project's predictions for the training rows. Rows at times within that project's data get
 * out-of-fold predictions (`outOfFoldPredictions`), joined by time. Later rows get predictions of the serving model,
 * computed from the rows. Other values are missing. A model of many series predicts all of them.
 *
 * @throws {DomainError} dependency_has_no_model; input_invalid if the rows share no time with that project's data and
 *   lack the columns that its model needs
 */
export async function upstreamColumn(
  db: Database,
  wanted: UpstreamColumnRequest,
  options: PreparationOptions,
  prepare: PrepareTraining,
): Promise<Found> {
  const { projectId, feature, rows, timestamp } = wanted;
  const serving = await servingModel(db, projectId);
  if (serving === null) {
    const message = `The project ${projectId}, which provides "${feature}", has no model. Train or import one there.`;
    throw issueError("dependency_has_no_model", { id: projectId, message });
  }
  const model = await openModel(serving.artifactKey, serving.sha256);
  const series = await servingSeries(db, projectId, { ...serving, checkpointId: null });
  const direct = await series.predictRows(projectId, rows, timestamp);
  const past =
    timestamp === null ? null : await pastPredictions(db, wanted, model, serving, options, prepare);
  const atTimes = "reason" in direct ? await predictedAt(series, wanted, model) : null;
  if ("reason" in direct && past === null && atTimes === null) {
    const message = `"${feature}" cannot be computed for the training rows: ${direct.reason}, and the two projects' data cannot be joined by time.`;
    throw issueError("input_invalid", { column: feature, id: projectId, message });
  }
  const now = "reason" in direct ? atTimes : direct.predictions;
  const joined = (series: PastPredictions) => asOfJoin(numericValues(rows, timestamp!), series, now);
  const values = past === null ? now! : joined(past.given);
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (missing === values.length) {
    const message = `"${feature}" has no value for any training row: the rows share no time with the upstream project's data.`;
    throw issueError("input_invalid", { column: feature, id: projectId, message });
  }
  const warnings: Warning[] = [];
  if (missing > 0) {
    const message = `"${feature}" has no value for ${missing} training rows; these values count as missing.`;
    warnings.push({ code: "upstream_missing", column: feature, message, rows: missing });
  }
  if (past === null) {
    const message = `"${feature}" was predicted by a model that may have learned from the same rows.`;
    warnings.push({ code: "upstream_in_sample", column: feature, message });
  }
  return {
    column: { name: feature, type: "number", values },
    generated: past ? { name: feature, type: "number", values: joined(past.generated) } : undefined,
    checkpointId: serving.checkpointId,
    warnings,
  };
}

/**
 * Returns the predictions of an upstream model of many series at the times of the rows. Several rows may take one prediction: that of
 * a region feeds every store of the region. Null for other models, and for rows that do not name a series.
 */
async function predictedAt(
  series: LinkedSeries,
  { projectId, rows, timestamp }: UpstreamColumnRequest,
  { state }: OpenModel,
): Promise<Float64Array | null> {
  if (!state.series || timestamp === null) return null;
  if (whyNotJoined(rows, state.target, state.series.columns) !== null) return null;
  return series.predictionsAt(projectId, { times: numericValues(rows, timestamp), table: rows });
}

/** Returns null if the upstream project has no series, or its model was not trained in this service. */
async function pastPredictions(
  db: Database,
  { projectId }: UpstreamColumnRequest,
  model: OpenModel,
  serving: ServingModel,
  options: PreparationOptions,
  prepare: PrepareTraining,
): Promise<Record<"given" | "generated", PastPredictions> | null> {
  const { timestamp, target, algorithm, grid } = model.state;
  const row = await currentDataset(db, projectId);
  if (algorithm === "imported" || algorithm === "panel" || timestamp === null || row === null) return null;
  if (row.timestampColumns?.[0] !== timestamp || row.target !== target) return null;
  const { input } = await prepare(db, projectId, options);
  const request: TrainModel = { ...(await requestOf(db, serving.modelId)), algorithm };
  const { given, generated } = await outOfFoldPredictions(input, request, {
    ...(options.signal ? { signal: options.signal } : {}),
    onProgress: (fraction) => options.onProgress?.(fraction, "Predicting unseen rows"),
  });
  const times = numericValues(input.table, timestamp);
  return { given: { times, values: given, grid }, generated: { times, values: generated, grid } };
}

async function requestOf(db: Database, modelId: string | null): Promise<TrainModel> {
  if (modelId === null) return {};
  const [row] = await db.select({ details: models.details }).from(models).where(eq(models.id, modelId));
  // Reuses the search results of the model's own training in every window.
  return (row?.details.resolvedRequest ?? row?.details.request ?? {}) as TrainModel;
}
