import { mkdtempSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** More bytes than a run needs. */
const enoughBytes = 4 * 2 ** 30;

/**
 * Folder for the data of tests: in memory if there is room. The service synchronizes each file, which takes milliseconds
 * on a disk.
 */
export const dataRoot = hasRoom("/dev/shm") ? "/dev/shm" : os.tmpdir();

/** Creates a new folder in `dataRoot`. The caller removes it. */
export const createDataFolder = (prefix: string): string => mkdtempSync(path.join(dataRoot, prefix));

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false; // Only Linux has the folder.
  }
}
