import { gt } from "drizzle-orm";
import { database } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";
import { removeLoose } from "#lib/artifacts/remove-loose";
import { store } from "#lib/platform/storage/store";

/** Folders of the store at or below a key, once what is to be removed has been, by whomever. */
export async function keptFolders(prefix: string): Promise<string[]> {
  const db = database();
  do await removeLoose(db);
  while ((await db.$count(looseArtifacts, gt(looseArtifacts.attempts, 0))) > 0);
  return store().listFolders(prefix);
}
