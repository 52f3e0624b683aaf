import { gt } from "drizzle-orm";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { deleteOrphans } from "#lib/platform/artifacts/delete-orphans";
import { database } from "#lib/platform/database/process-database";
import { store } from "#lib/platform/storage/store";

/** Deletes due orphans, waits for deletions by other workers, and returns the store's folders at or below a key. */
export async function keptFolders(prefix: string): Promise<string[]> {
  const db = database();
  do await deleteOrphans(db);
  while ((await db.$count(orphanedArtifacts, gt(orphanedArtifacts.attempts, 0))) > 0);
  return store().listFolders(prefix);
}
