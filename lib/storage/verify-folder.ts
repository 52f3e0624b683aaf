import type { ArtifactStore, Manifest } from "#lib/platform/storage/artifact-store";
import { Measure } from "#lib/platform/storage/measure";
import { ArtifactDamagedError } from "#lib/platform/storage/storage-errors";

/**
 * Reads every file of a folder and holds it against the manifest.
 *
 * @throws {ArtifactNotFoundError | ArtifactDamagedError}
 */
export async function verifyFolder(store: ArtifactStore, key: string): Promise<Manifest> {
  const manifest = await store.readManifest(key);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const measure = new Measure();
    const content = (await store.openRead(key, name)) as AsyncIterable<Uint8Array>;
    for await (const _ of measure.pass(content)); // Only to measure.
    const read = measure.entry();
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new ArtifactDamagedError(key, name);
  }
  return manifest;
}
