import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import { presentFeature } from "#lib/domain/models/present";
import type { CheckpointRow } from "./find-checkpoint.ts";

/** Returns the fields of the summary view. */
export function presentCheckpoint(row: CheckpointRow): Checkpoint {
  return {
    id: row.id,
    projectId: row.projectId,
    label: row.label,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    isDefault: row.isDefault,
    linkedCheckpointId: row.linkedCheckpointId,
    modelId: row.modelId,
    modelName: row.modelName,
    primaryMetricValue: row.primaryMetricValue,
    targetMetric: row.targetMetric,
  };
}

/** Returns the summary fields and those of the detail view. */
export function presentCheckpointDetail(
  row: CheckpointRow,
  beside: Pick<CheckpointDetail, "usedByScenarios" | "dependentProjectCheckpoints">,
): CheckpointDetail {
  return {
    ...presentCheckpoint(row),
    trainingMetrics: row.trainingMetrics,
    inputFeatures: row.inputFeatures.map(presentFeature),
    featureEngineering: row.featureEngineering,
    modelFormat: row.modelFormat,
    artifactBytes: row.artifactBytes,
    sha256: row.sha256,
    trainedAt: row.trainedAt.toISOString(),
    trainingRows: row.trainingRows,
    folderName: row.folderName,
    ...beside,
  };
}
