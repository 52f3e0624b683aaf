import { diskSpace } from "./disk-space.ts";

/** Free bytes below which a disk counts as full: the smallest writes may still work, but no upload or result does. */
const FREE_MIN = 1_048_576;

/** Returns whether a folder's disk has no space left for this process. A missing folder counts as not full. */
export function isDiskFull(folder: string): boolean {
  const space = diskSpace(folder);
  return space !== null && space.free < FREE_MIN;
}
