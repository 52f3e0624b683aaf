import { open } from "node:fs/promises";
import type { ManifestEntry } from "./artifact-store.ts";
import { Measure } from "./measure.ts";

/** Writes a new file that survives a power cut once this is fulfilled, and measures it on the way. */
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

/** Makes a folder's entries (new names, renames) survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
