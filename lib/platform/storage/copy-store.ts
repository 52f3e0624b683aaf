import { isDeepStrictEqual } from "node:util";
import type { ArtifactStore } from "./artifact-store.ts";
import { copyFolder } from "./copy-folder.ts";
import { nullIfNotFound } from "./storage-errors.ts";

type StoreCopied = { copied: number; present: number };

/**
 * Copies every folder that is absent or different in the other store, and verifies it against its manifest. After an
 * interruption, a second call continues the copy. Skips folders that are deleted during the copy.
 *
 * @param onFolder called after each folder with the number of folders done
 * @throws {ArtifactDamagedError} for a folder with files that differ from its manifest
 */
export async function copyStore(
  from: ArtifactStore,
  to: ArtifactStore,
  onFolder: (done: number, total: number) => void = () => {},
): Promise<StoreCopied> {
  const keys = await from.listFolders("");
  const result: StoreCopied = { copied: 0, present: 0 };
  for (const [index, key] of keys.entries()) {
    const [here, there] = await Promise.all(
      [from, to].map((store) => nullIfNotFound(store.readManifest(key))),
    );
    if (here !== null && isDeepStrictEqual(here, there)) result.present++;
    else if (await nullIfNotFound(copyFolder({ store: from, key }, { store: to, key }))) result.copied++;
    onFolder(index + 1, keys.length);
  }
  return result;
}
