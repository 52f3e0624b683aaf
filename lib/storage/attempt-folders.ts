import path from "node:path";
import type { ArtifactStore } from "./artifact-store.ts";

/**
 * Key of what one attempt at a job writes. Each has a folder of its own, so that one that was believed dead and wakes
 * writes over nothing: the row that is stored with it names the one that counts.
 */
export function attemptKey(place: string, { id, attempt }: { id: string; attempt: number }): string {
  return `${place}-${id}-${attempt}`;
}

/** Removes what attempts left at a place, all of them or one job's, but for the one that counts. */
export async function deleteAttempts(
  store: ArtifactStore,
  { place, jobId, except }: { place: string; jobId?: string; except?: string },
): Promise<void> {
  const start = jobId === undefined ? `${place}-` : `${place}-${jobId}-`;
  for (const key of await store.listFolders(path.posix.dirname(place))) {
    if (key.startsWith(start) && key !== except) await store.deleteFolder(key);
  }
}
