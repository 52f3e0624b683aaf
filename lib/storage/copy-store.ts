import { isDeepStrictEqual } from "node:util";
import type { ArtifactStore } from "./artifact-store.ts";
import { copyFolder } from "./copy-folder.ts";
import { ArtifactNotFoundError } from "./storage-errors.ts";

export type StoreCopied = { copied: number; present: number };

/**
 * Copies every folder that the other store does not have, or has otherwise; what is copied is checked against its manifest.
 * After an interruption a second call goes on where the first one ended.
 *
 * @param onFolder told after each folder how many of them are done
 * @throws {ArtifactDamagedError} for a folder whose files are not what was written
 */
export async function copyStore(
  from: ArtifactStore,
  to: ArtifactStore,
  onFolder: (done: number, total: number) => void = () => {},
): Promise<StoreCopied> {
  const keys = await from.listFolders("");
  const result: StoreCopied = { copied: 0, present: 0 };
  for (const [index, key] of keys.entries()) {
    if (isDeepStrictEqual(await manifestOf(from, key), await manifestOf(to, key))) result.present++;
    else {
      await copyFolder({ store: from, key }, { store: to, key });
      result.copied++;
    }
    onFolder(index + 1, keys.length);
  }
  return result;
}

async function manifestOf(store: ArtifactStore, key: string) {
  return store.readManifest(key).catch((error: unknown) => {
    if (error instanceof ArtifactNotFoundError) return null;
    throw error;
  });
}
