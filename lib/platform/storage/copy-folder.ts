import type { ArtifactStore, Content, Manifest } from "./artifact-store.ts";
import { Measure } from "./measure.ts";
import { ArtifactDamagedError } from "./storage-errors.ts";

type Place = { store: ArtifactStore; key: string };

/**
 * Publishes a copy of a folder, in the same store or another one. Verifies the content against the manifest during the
 * copy.
 *
 * @throws {ArtifactNotFoundError | ArtifactDamagedError} nothing is published then
 */
export async function copyFolder(from: Place, to: Place): Promise<Manifest> {
  const { files } = await from.store.readManifest(from.key);
  const contents = Object.entries(files).map(([name, { sha256 }]): [string, Content] => [
    name,
    readVerified(from, name, sha256),
  ]);
  return to.store.writeFolder(to.key, new Map(contents));
}

/**
 * Yields the bytes of a file.
 *
 * @throws {ArtifactDamagedError} after the last byte, if they differ from the hash
 */
export async function* readVerified(
  { store, key }: Place,
  name: string,
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const measure = new Measure();
  yield* measure.pass(await store.openRead(key, name));
  if (measure.entry().sha256 !== sha256) throw new ArtifactDamagedError(key, name);
}
