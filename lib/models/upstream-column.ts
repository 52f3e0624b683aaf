import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { models } from "#db/schema/models";
import type { Warning } from "#lib/contract/datasets";
import type { TrainModel } from "#lib/contract/models";
import type { NumericColumn, Table } from "#lib/contract/table";
import { currentDataset } from "#lib/datasets/current-dataset";
import { DomainError } from "#lib/errors/domain-error";
import { createGrid, type GridDefinition } from "#lib/ml/features/grid";
import { numericValues } from "#lib/ml/table/columns";
import type { ModelDetails } from "./model-details.ts";
import { type OpenModel, openModel } from "./open-model.ts";
import { outOfFoldPredictions } from "./out-of-fold.ts";
import { type ServingModel, servingModel } from "./serving-model.ts";
import { servingModels } from "./serving-models.ts";
import { type PreparationOptions, trainingData } from "./training-data.ts";
import { predictUpstream } from "./upstream-features.ts";

type Wanted = { projectId: string; feature: string; rows: Table; timestamp: string | null };
type Found = { column: NumericColumn; checkpointId: string | null; warnings: Warning[] };

/**
 * Another project's predictions for the rows that a model is to learn from. For times in that project's own data they
 * are made by models that had not seen them (`outOfFoldPredictions`), joined by time; for later ones by the model that
 * serves it, from the rows themselves. Missing where neither can tell.
 *
 * @throws {DomainError} dependency_has_no_model; input_invalid where the rows share no time with that project's data
 *   and do not carry what its model needs
 */
export async function upstreamColumn(
  db: Database,
  wanted: Wanted,
  options: PreparationOptions,
): Promise<Found> {
  const { projectId, feature, rows, timestamp } = wanted;
  const serving = await servingModel(db, projectId);
  if (serving === null) {
    const message = `The project ${projectId}, whose predictions are to be "${feature}", has no model yet.`;
    throw new DomainError("dependency_has_no_model", message, { details: [{ id: projectId, message }] });
  }
  const model = await openModel(serving.artifactKey, serving.sha256);
  const direct = await predictUpstream(model, rows, timestamp, servingModels(db));
  const past = timestamp === null ? null : await pastPredictions(db, wanted, model, serving, options);
  if ("reason" in direct && past === null) {
    const message = `"${feature}" cannot be computed for the training rows: ${direct.reason}, and the two projects' data cannot be joined by time.`;
    throw new DomainError("input_invalid", message, {
      details: [{ column: feature, id: projectId, message }],
    });
  }
  const now = "reason" in direct ? null : direct.predictions;
  const values = past === null ? now! : joined(numericValues(rows, timestamp!), past, now);
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  if (missing === values.length) {
    const message = `"${feature}" is known for none of the training rows: they share no time with its project's data.`;
    throw new DomainError("input_invalid", message, {
      details: [{ column: feature, id: projectId, message }],
    });
  }
  const warnings: Warning[] = [];
  if (missing > 0) {
    const message = `"${feature}" is not known for ${missing} training rows; they count as missing.`;
    warnings.push({ code: "upstream_missing", column: feature, message, rows: missing });
  }
  if (past === null) {
    const message = `"${feature}" was predicted by a model that may have learned from the same rows.`;
    warnings.push({ code: "upstream_in_sample", column: feature, message });
  }
  return { column: { name: feature, type: "number", values }, checkpointId: serving.checkpointId, warnings };
}

/** Values by time; the times ascend. */
type PastPredictions = { times: Float64Array; values: Float64Array; grid: GridDefinition | null };

/** Null where the upstream project has no series, or its model was not trained here. */
async function pastPredictions(
  db: Database,
  { projectId }: Wanted,
  model: OpenModel,
  serving: ServingModel,
  options: PreparationOptions,
): Promise<PastPredictions | null> {
  const { timestamp, target, algorithm, grid } = model.state;
  const row = await currentDataset(db, projectId);
  if (algorithm === "imported" || timestamp === null || row === null) return null;
  if (row.timestampColumns?.[0] !== timestamp || row.target !== target) return null;
  const { input } = await trainingData(db, projectId, options);
  const request: TrainModel = { ...(await requestOf(db, serving.modelId)), algorithm };
  const values = await outOfFoldPredictions(input, request, {
    ...(options.signal ? { signal: options.signal } : {}),
    onProgress: (fraction) => options.onProgress?.(fraction, "Predicting rows that were not learned from"),
  });
  return { times: numericValues(input.table, timestamp), values, grid };
}

async function requestOf(db: Database, modelId: string | null): Promise<TrainModel> {
  if (modelId === null) return {};
  const [row] = await db.select({ details: models.details }).from(models).where(eq(models.id, modelId));
  return ((row?.details as ModelDetails | undefined)?.request ?? {}) as TrainModel;
}

/**
 * As-of join: for each time the prediction for the step of the upstream series that it falls into, or without regular
 * steps the last one up to it. After the series' end what is predicted now.
 */
function joined(times: Float64Array, past: PastPredictions, now: Float64Array | null): Float64Array {
  const last = past.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const find = past.grid ? byStep(past, past.grid) : byLastTime(past);
  return times.map((time, row) => {
    const value = find(time);
    return time > last && Number.isNaN(value) && now !== null ? now[row]! : value;
  });
}

function byStep({ times, values }: PastPredictions, definition: GridDefinition): (time: number) => number {
  const { indexOf } = createGrid(definition);
  const byIndex = new Map<number, number>();
  times.forEach((time, row) => {
    byIndex.set(indexOf(time), values[row]!);
  });
  return (time) => byIndex.get(indexOf(time)) ?? Number.NaN;
}

function byLastTime({ times, values }: PastPredictions): (time: number) => number {
  return (time) => {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? Number.NaN : values[low - 1]!;
  };
}
