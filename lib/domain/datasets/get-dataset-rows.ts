import type { DatasetRows } from "#lib/contract/dataset-versions";
import type { Context } from "#lib/platform/context/context";
import { requireDataset } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";

const ROWS_DEFAULT = 50;

/**
 * Returns a page of the rows of the current version.
 *
 * @throws {DomainError} dataset_not_found
 */
export async function getDatasetRows(
  ctx: Context,
  {
    projectId,
    limit = ROWS_DEFAULT,
    offset = 0,
  }: { projectId: string; limit?: number | undefined; offset?: number | undefined },
): Promise<DatasetRows> {
  const { id, parts, rowCount, timestampColumns, profile } = await requireDataset(ctx.db, projectId);
  const bytes = 8 * rowCount * profile.columns.length;
  const wanted = { parts, time: timestampColumns?.[0] ?? null, from: Math.min(offset, rowCount), limit };
  return {
    versionId: id,
    rowCount,
    rows: await runDatasetTask("rows", wanted, { bytes, signal: ctx.signal }),
  };
}
