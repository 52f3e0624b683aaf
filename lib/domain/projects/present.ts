import type { Project, ProjectOverview } from "#lib/contract/projects";
import type { DependencyRow, ProjectRow, selectDetails, selectLastScenarios } from "./select-projects.ts";

type LastScenario = Awaited<ReturnType<typeof selectLastScenarios>>[number];

type DetailsRow = NonNullable<Awaited<ReturnType<typeof selectDetails>>>;

/** @param dependencies dependencies of this project or of several */
export function presentProject(
  row: ProjectRow,
  dependencies: readonly DependencyRow[],
  { display, runsKept, numberFormats, timezone, frequency }: DetailsRow,
): Project {
  const units = (numberFormats ?? []).flatMap(({ column, unit }) => (unit === null ? [] : [[column, unit]]));
  return {
    ...presentCommon(row, dependencies),
    display,
    units: Object.fromEntries(units),
    timezone,
    frequency,
    runsKept,
  };
}

function presentCommon(row: ProjectRow, dependencies: readonly DependencyRow[]) {
  const { model } = row;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    target: row.datasetTarget ?? model?.target ?? null,
    hasDataset: row.datasetTarget !== null,
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
    access: row.access,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}

/** @param beside dependencies of this project or of several, and the project's activity */
export function presentProjectOverview(
  row: ProjectRow,
  beside: { dependencies: readonly DependencyRow[]; lastScenario: LastScenario | null; openJobs: number },
): ProjectOverview {
  const { lastScenario } = beside;
  return {
    ...presentCommon(row, beside.dependencies),
    defaultCheckpointLabel: row.defaultCheckpointLabel,
    lastScenario: lastScenario && {
      id: lastScenario.id,
      title: lastScenario.title,
      color: lastScenario.color,
      status: lastScenario.status,
      createdAt: lastScenario.createdAt.toISOString(),
    },
    openJobs: beside.openJobs,
    role: row.role,
  };
}
