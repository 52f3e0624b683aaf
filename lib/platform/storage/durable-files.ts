import { open } from "node:fs/promises";
import type { ManifestEntry } from "./artifact-store.ts";
import { Measure } from "./measure.ts";

/** Writes and measures a new file, which survives a power failure once the promise is fulfilled. */
export async function writeDurably(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes?: number,
): Promise<ManifestEntry> {
  const measure = new Measure(limitBytes);
  await using handle = await open(file, "wx", 0o600);
  for await (const chunk of measure.pass(source)) await handle.writeFile(chunk);
  await handle.sync();
  return measure.entry();
}

/** Syncs a folder's entries (new names, renames), so that they survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
