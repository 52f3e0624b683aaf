import { createHash, randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { checkFileName, checkKey, manifestFileName } from "./artifact-key.ts";
import {
  ArtifactStore,
  type ByteRange,
  type Content,
  type Entries,
  type Manifest,
  type ManifestEntry,
} from "./artifact-store.ts";
import { Measure } from "./measure.ts";
import { parseManifest } from "./parse-manifest.ts";
import { foldersOf } from "./s3-folders.ts";
import { type Patience, S3Objects, type S3Place } from "./s3-objects.ts";
import { ArtifactNotFoundError } from "./storage-errors.ts";

/** Place of the files of a folder: `<key>/.<generation>/<name>`. No key has such a name. */
type StoredManifest = Manifest & { generation: string };

/**
 * Artifacts in a bucket of S3, or of another server with its protocol. S3 has no rename. So each write puts its files
 * under a new name, the generation, and the manifest publishes them: one object that names the generation. A reader sees
 * all of a folder or nothing. `removeLeftovers` deletes files without a manifest entry.
 */
export class S3Store extends ArtifactStore {
  readonly #objects: S3Objects;

  constructor(place: S3Place, patience?: Patience) {
    super();
    this.#objects = new S3Objects(place, patience);
  }

  async readFile(key: string, name: string): Promise<Buffer> {
    return buffer(await this.openRead(key, name));
  }

  async openRead(key: string, name: string, range?: ByteRange): Promise<Readable> {
    checkFileName(name);
    for (let seen: string | undefined; ; ) {
      const { generation, files } = await this.#read(key);
      if (files[name] === undefined || generation === seen) throw new ArtifactNotFoundError(key, name);
      const content = await this.#objects.get(`${key}/.${generation}/${name}`, range);
      if (content !== null) return content;
      // The folder was replaced between the two requests. Its new generation exists.
      seen = generation;
    }
  }

  async readManifest(key: string): Promise<Manifest> {
    const { version, files } = await this.#read(key);
    return { version, files };
  }

  async deleteFolder(key: string): Promise<void> {
    checkKey(key);
    for (const folder of await this.listFolders(key)) {
      const stored = await this.#find(folder);
      await this.#objects.remove([manifestOf(folder)]);
      if (stored) await this.#removeGeneration(folder, stored.generation);
    }
  }

  async *eachFolder(prefix: string): AsyncGenerator<string> {
    if (prefix !== "") checkKey(prefix);
    for await (const { name } of this.#objects.each(prefix === "" ? "" : `${prefix}/`)) {
      if (name.endsWith(`/${manifestFileName}`)) yield name.slice(0, -manifestFileName.length - 1);
    }
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#find(key)) !== null;
  }

  async removeLeftovers(before: Date): Promise<number> {
    let removed = await this.#objects.abortUploads(before);
    for await (const { folder, published, generations } of foldersOf(this.#objects.each(""))) {
      // A single generation beside a manifest is the published one.
      if (published && generations.size === 1) continue;
      for (const [generation, { names, newest }] of generations) {
        if (newest >= before || generation === (await this.#find(folder))?.generation) continue;
        await this.#objects.remove(names);
        removed++;
      }
    }
    return removed;
  }

  protected async publish(key: string, write: (folder: string) => Promise<Entries>): Promise<Manifest> {
    checkKey(key);
    const generation = randomBytes(9).toString("hex");
    const manifest: Manifest = { version: 1, files: await this.#writeOrRemove(key, generation, write) };
    const before = await this.#find(key);
    const stored: StoredManifest = { ...manifest, generation };
    // A failed call may have succeeded on the server. So the files stay, and become leftovers if no manifest names them.
    await this.write(manifestOf(key), Buffer.from(`${JSON.stringify(stored, null, 2)}\n`));
    if (before) await this.#removeGeneration(key, before.generation).catch(leftBehind);
    return manifest;
  }

  async #writeOrRemove(
    key: string,
    generation: string,
    write: (folder: string) => Promise<Entries>,
  ): Promise<Entries> {
    try {
      return await write(`${key}/.${generation}`);
    } catch (error) {
      await this.#removeGeneration(key, generation).catch(leftBehind);
      throw error;
    }
  }

  protected async write(name: string, content: Content, limitBytes?: number): Promise<ManifestEntry> {
    if (content instanceof Uint8Array) {
      const sha256 = createHash("sha256").update(content).digest("hex");
      await this.#objects.put(name, content, sha256);
      return { bytes: content.byteLength, sha256 };
    }
    const measure = new Measure(limitBytes);
    await this.#objects.putStream(name, measure.pass(content));
    return measure.entry();
  }

  async #removeGeneration(key: string, generation: string): Promise<void> {
    const listed = await Array.fromAsync(this.#objects.each(`${key}/.${generation}/`));
    await this.#objects.remove(listed.map(({ name }) => name));
  }

  async #read(key: string): Promise<StoredManifest> {
    const stored = await this.#find(key);
    if (stored === null) throw new ArtifactNotFoundError(key, manifestFileName);
    return stored;
  }

  async #find(key: string): Promise<StoredManifest | null> {
    checkKey(key);
    const content = await this.#objects.get(manifestOf(key));
    return content === null ? null : parseManifest<StoredManifest>(key, (await buffer(content)).toString());
  }
}

/** Ignores a failed deletion: the files become leftovers. */
function leftBehind(): void {}

function manifestOf(key: string): string {
  return `${key}/${manifestFileName}`;
}
