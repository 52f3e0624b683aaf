import { statfsSync } from "node:fs";
import { environment } from "#lib/platform/config/environment";

/** Returns the folders that the service writes to, by name. */
export function foldersWritten(): Record<string, string> {
  const { dataDir, storage } = environment();
  return { data: dataDir, ...(storage.kind === "file" && { artifacts: storage.folder }) };
}

/** Returns the size of a folder's disk and what is free for this process; null for a missing folder. */
export function diskSpace(folder: string): { free: number; size: number } | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
