import type { InputFeature, Model } from "#lib/contract/models";
import type { ModelRow } from "./find-model.ts";

export function presentModel(row: ModelRow): Model {
  const { details } = row;
  const { importance, effects, predicts, panel, validation, classification, leaderboard } = details;
  const { coverage, coverageBySteps, warnings } = details;
  return {
    id: row.id,
    projectId: row.projectId,
    modelName: row.modelName,
    algorithm: row.algorithm,
    source: row.source,
    isCurrent: row.isCurrent,
    target: row.target,
    targetMetric: row.targetMetric,
    primaryMetricValue: row.primaryMetricValue,
    trainingMetrics: row.trainingMetrics,
    inputFeatures: row.inputFeatures.map(presentFeature),
    featureEngineering: row.featureEngineering,
    importance,
    ...(effects && { effects }),
    ...(predicts && { predicts }),
    ...(panel && { panel }),
    validation: validation && presentValidation(validation),
    ...(classification && { classification }),
    leaderboard,
    coverage,
    ...(coverageBySteps && { coverageBySteps }),
    warnings,
    modelFormat: row.modelFormat,
    artifactBytes: row.artifactBytes,
    trainedAt: row.trainedAt.toISOString(),
    trainingRows: row.trainingRows,
    datasetVersionId: details.datasetVersionId ?? null,
    datasetRows: details.datasetRows ?? null,
    ...(details.datasetFrequency !== undefined && { datasetFrequency: details.datasetFrequency }),
    request: row.source === "trained" ? details.request : null,
    createdBy: row.createdBy,
  };
}

/** Omits the residuals, which clients can compute from actual and predicted values. */
function presentValidation({
  timestamps,
  rows,
  actual,
  predicted,
  treated,
}: NonNullable<Model["validation"]>) {
  return { timestamps, rows, actual, predicted, ...(treated && { treated }) };
}

/** Returns the API fields of a feature. Models store additional ones. */
export function presentFeature(feature: InputFeature): InputFeature {
  const { name, type, role, required, missingAllowed, min, max, mean, median, missing } = feature;
  const { categories, sourceProjectId, codes, dateRule } = feature;
  return {
    name,
    type,
    role,
    required,
    missingAllowed,
    min,
    max,
    mean,
    median,
    missing,
    categories,
    sourceProjectId,
    ...(codes && { codes }),
    ...(dateRule && { dateRule }),
  };
}
