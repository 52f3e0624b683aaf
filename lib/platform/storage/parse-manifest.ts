import { manifestFileName } from "./artifact-key.ts";
import type { Manifest } from "./artifact-store.ts";
import { ArtifactDamagedError } from "./storage-errors.ts";

/** @throws {ArtifactDamagedError} if the text is not JSON */
export function parseManifest<T extends Manifest>(key: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new ArtifactDamagedError(key, manifestFileName, cause);
  }
}
