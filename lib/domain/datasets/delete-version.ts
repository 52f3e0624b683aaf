import { and, eq, inArray, sql } from "drizzle-orm";
import { datasets } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import type { DatasetVersion } from "#lib/contract/dataset-versions";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { currentDataset } from "./current-dataset.ts";
import { presentVersion } from "./list-versions.ts";
import { requireVersion } from "./version-changes.ts";

/**
 * Deletes a version of the dataset and returns it. Rows that other versions have as well stay. So do the current version, and
 * one that an unfinished job reads.
 *
 * @throws {DomainError} project_not_found, version_not_found, precondition_failed, validation_failed while the version is in use
 */
export async function deleteVersion(
  ctx: Context,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<DatasetVersion> {
  return ctx.db.transaction(async (tx) => {
    // Changes of the dataset, and requests of jobs that read it, take the same lock.
    await lockProject(tx, projectId);
    const row = await requireVersion(tx, { projectId, versionId });
    const version = presentVersion(row);
    await requireIfMatch(ctx, async () => version);
    const id = versionId;
    if ((await currentDataset(tx, projectId))?.id === id) {
      const message =
        "This version is the current dataset. Restore another version first, or replace the dataset.";
      throw issueError("validation_failed", { id, code: "version_is_current", message });
    }
    const [reader] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          eq(jobs.projectId, projectId),
          inArray(jobs.status, ["Pending", "Running"]),
          sql`${jobs.payload}->>'datasetVersionId' = ${id}`,
        ),
      )
      .limit(1);
    if (reader !== undefined) {
      const message = `Job ${reader.id} reads this version. Wait until the job has ended, or cancel it first.`;
      throw issueError("validation_failed", { id: reader.id, code: "version_in_use", message });
    }
    await tx.delete(datasets).where(eq(datasets.id, id));
    await recordChange(tx, ctx, "dataset.version-deleted", { projectId, entityId: id, label: row.fileName });
    return version;
  });
}
