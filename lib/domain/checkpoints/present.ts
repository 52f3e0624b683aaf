import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import { presentFeature } from "#lib/domain/models/present";
import type { CheckpointRow } from "./find-checkpoint.ts";

/** The fields of the summary view (interface, section 2). */
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
    modelName: row.modelName,
    primaryMetricValue: row.primaryMetricValue,
    targetMetric: row.targetMetric,
  };
}

/** The summary fields and what the detail view adds. */
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
