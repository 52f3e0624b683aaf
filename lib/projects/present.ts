import type { Project } from "#lib/contract/projects";
import type { DependencyRow, ProjectRow } from "./queries.ts";

/** @param dependencies of this project or of several */
export function presentProject(row: ProjectRow, dependencies: readonly DependencyRow[]): Project {
  const { model } = row;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    target: row.datasetTarget ?? model?.target ?? null,
    currentModel: model && {
      id: model.id,
      modelName: model.modelName,
      targetMetric: model.targetMetric,
      primaryMetricValue: model.primaryMetricValue,
      trainedAt: model.trainedAt.toISOString(),
    },
    defaultCheckpointId: row.defaultCheckpointId,
    dependencies: dependencies
      .filter(({ projectId }) => projectId === row.id)
      .map(({ upstreamProjectId, featureName }) => ({ projectId: upstreamProjectId, featureName })),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}
