import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { projectDependencies } from "#db/schema/projects";
import type { Table } from "#lib/contract/table";
import { currentDataset, findVersion, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { dropColumns, findColumn } from "#lib/engine/table/columns";
import { issueError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import type { PreparationOptions, TrainingData } from "./prepared-training.ts";
import { upstreamColumn } from "./upstream-column.ts";

/**
 * Returns the training data of a project's next model: its dataset, and a column for each upstream project.
 *
 * @param datasetVersionId version of the dataset; undefined: the current one
 *
 * @throws {DomainError} no_dataset, dependency_has_no_model, input_invalid for a dependency that cannot be joined
 */
export async function trainingData(
  db: Database,
  projectId: string,
  options: PreparationOptions = {},
  datasetVersionId?: string,
): Promise<TrainingData> {
  const row =
    datasetVersionId === undefined
      ? await currentDataset(db, projectId)
      : await findVersion(db, { projectId, versionId: datasetVersionId });
  if (row === null) throw standardError("no_dataset");
  const [timestamp = null, ...parts] = row.timestampColumns ?? [];
  // The joined timestamps contain the other parts. As inputs, they would repeat them.
  const table = dropColumns(await readDatasetTable(row), parts);
  const dependencies = await db
    .select({
      upstreamProjectId: projectDependencies.upstreamProjectId,
      feature: projectDependencies.featureName,
    })
    .from(projectDependencies)
    .where(eq(projectDependencies.projectId, projectId));
  const data: TrainingData = {
    input: {
      table,
      target: row.target,
      timestamp,
      series: row.seriesColumns ?? undefined,
      frequency: row.frequency,
      timezone: row.timezone,
      upstream: [],
    },
    format: {
      version: 1,
      timestampColumns: row.timestampColumns,
      timezone: row.timezone,
      dateOrder: row.profile.dateOrder,
      missing: row.missing,
      numberFormats: row.numberFormats,
      resample: row.resample,
      reading: row.reading,
      ...(row.seriesColumns && { series: row.seriesColumns }),
    },
    upstreamCheckpoints: {},
    warnings: [],
    datasetVersionId: row.id,
    suspicion: { warnings: row.profile.warnings, confirmed: row.confirmed },
  };
  for (const [position, { upstreamProjectId, feature }] of dependencies.entries()) {
    const onProgress = (fraction: number) =>
      options.onProgress?.(
        (position + fraction) / dependencies.length,
        `Predicting "${feature}" for the training rows`,
      );
    const wanted = { projectId: upstreamProjectId, feature, rows: table, timestamp };
    const carried = carriedColumn(table, feature, row.target);
    const found = carried
      ? { column: carried, generated: undefined, checkpointId: null, warnings: [] }
      : await upstreamColumn(db, wanted, { ...options, onProgress }, trainingData);
    const { column, generated } = found;
    data.input.upstream.push({ column, generated, sourceProjectId: upstreamProjectId });
    if (found.checkpointId !== null) data.upstreamCheckpoints[upstreamProjectId] = found.checkpointId;
    data.warnings.push(...found.warnings);
  }
  return data;
}

/** Returns the upstream project's past predictions if the dataset contains them. */
function carriedColumn(table: Table, feature: string, target: string) {
  const column = findColumn(table, feature);
  if (column === undefined) return null;
  if (column.type === "number" && feature !== target) return column;
  const message = `"${feature}" must hold another project's predictions, but in the dataset it is ${feature === target ? "the target" : `a ${column.type} column`}. Rename one of them.`;
  throw issueError("input_invalid", { column: feature, message });
}
