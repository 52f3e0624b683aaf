import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { ManifestEntry } from "./artifact-store.ts";
import { ArtifactTooLargeError } from "./storage-errors.ts";

/** Writes a new file that survives a power cut once this is fulfilled, and measures it on the way. */
export async function writeDurably(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<ManifestEntry> {
  const hash = createHash("sha256");
  let bytes = 0;
  await using handle = await open(file, "wx", 0o600);
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new ArtifactTooLargeError(limitBytes);
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  await handle.sync();
  return { bytes, sha256: hash.digest("hex") };
}

/** Makes a folder's entries (new names, renames) survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** Chunks large enough that hashing and writing, not the calls, take the time. */
export function readInChunks(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: 1 << 20 });
}
