import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { artifactBytes } from "./artifact-digest.ts";

/** Returns the bytes of all files of several folders. Absent folders have none. */
export async function storedBytes(keys: readonly string[]): Promise<number> {
  let sum = 0;
  for (const key of keys) {
    const manifest = await nullIfNotFound(store().readManifest(key));
    if (manifest !== null) sum += artifactBytes(manifest);
  }
  return sum;
}
