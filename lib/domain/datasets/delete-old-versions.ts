import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { datasets } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";

/** Number of versions that are kept, with the current one. */
const VERSIONS_KEPT = 10;

/** Deletes the older versions of a project's dataset that no unfinished job will read. The transaction has locked the project. */
export async function deleteOldVersions(tx: Transaction, projectId: string): Promise<void> {
  await tx.execute(sql`
    delete from ${datasets} where ${datasets.id} in (
      select id from ${datasets} where project_id = ${projectId} order by version desc offset ${VERSIONS_KEPT})
    and not exists (select from ${jobs} where ${jobs.projectId} = ${projectId} and ${jobs.status} in ('Pending', 'Running')
      and ${jobs.payload}->>'datasetVersionId' = ${datasets.id}::text)`);
}
