import { randomBytes } from "node:crypto";
import { createReadStream, type Dirent } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { checkFileName, checkKey, manifestFileName } from "./artifact-key.ts";
import {
  ArtifactStore,
  type ByteRange,
  type Content,
  type Entries,
  type Manifest,
  type ManifestEntry,
} from "./artifact-store.ts";
import { syncFolder, writeDurably } from "./durable-files.ts";
import { parseManifest } from "./parse-manifest.ts";
import { ArtifactNotFoundError } from "./storage-errors.ts";

/** Folder of unpublished files. No key has this name. */
const TEMPORARY = ".tmp";

/**
 * Artifacts in a local directory, which several processes may share. A folder is written under `.tmp`, synced and then
 * renamed, so that a reader sees all of it or nothing.
 */
export class LocalStore extends ArtifactStore {
  readonly #root: string;
  readonly #temporary: string;

  /** @param root absolute path; created with access for its owner only, if absent */
  constructor(root: string) {
    super();
    this.#root = root;
    this.#temporary = path.join(root, TEMPORARY);
  }

  async readFile(key: string, name: string): Promise<Buffer> {
    checkFileName(name);
    return this.#read(key, name, (file) => readFile(file));
  }

  async openRead(key: string, name: string, range?: ByteRange): Promise<Readable> {
    checkFileName(name);
    const handle = await this.#read(key, name, (file) => open(file, "r"));
    const part = range && { start: range.start, end: range.end - 1 };
    return createReadStream("", { fd: handle, highWaterMark: 1 << 18, ...part });
  }

  async readManifest(key: string): Promise<Manifest> {
    return parseManifest(key, await this.#read(key, manifestFileName, (file) => readFile(file, "utf8")));
  }

  async deleteFolder(key: string): Promise<void> {
    await this.#setAside(this.#folder(key));
  }

  async *eachFolder(prefix: string): AsyncGenerator<string> {
    const folder = prefix === "" ? this.#root : this.#folder(prefix);
    const entries = await readdir(folder, { withFileTypes: true }).catch(nothingIfAbsent<Dirent[]>([]));
    if (entries.some((entry) => entry.name === manifestFileName)) yield prefix;
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== TEMPORARY);
    for (const { name } of folders) yield* this.eachFolder(prefix === "" ? name : `${prefix}/${name}`);
  }

  async exists(key: string): Promise<boolean> {
    const file = path.join(this.#folder(key), manifestFileName);
    return (await stat(file).catch(nothingIfAbsent(null))) !== null;
  }

  async removeLeftovers(before: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#temporary).catch(nothingIfAbsent<string[]>([]))) {
      const folder = path.join(this.#temporary, name);
      if ((await lastWrite(folder)) > before.getTime()) continue;
      await rm(folder, { recursive: true, force: true });
      removed++;
    }
    return removed;
  }

  #folder(key: string): string {
    checkKey(key);
    return path.join(this.#root, key);
  }

  async #read<T>(key: string, name: string, read: (file: string) => Promise<T>): Promise<T> {
    try {
      return await read(path.join(this.#folder(key), name));
    } catch (error) {
      if (isAbsent(error)) throw new ArtifactNotFoundError(key, name, error);
      throw error;
    }
  }

  protected write(file: string, content: Content, limitBytes?: number): Promise<ManifestEntry> {
    return writeDurably(file, content instanceof Uint8Array ? [content] : content, limitBytes);
  }

  protected async publish(key: string, write: (folder: string) => Promise<Entries>): Promise<Manifest> {
    const place = this.#folder(key);
    const folder = await this.#newTemporary();
    try {
      const manifest: Manifest = { version: 1, files: await write(folder) };
      const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
      await writeDurably(path.join(folder, manifestFileName), [text]);
      await syncFolder(folder);
      await this.#moveInto(folder, place);
      await this.#syncAbove(place);
      return manifest;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Renames a folder into its place. A rename never replaces a folder with content, so an existing one is hidden first,
   * repeatedly if another process writes it again. Another process may also remove the parent folder.
   */
  async #moveInto(folder: string, place: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
        return await rename(folder, place);
      } catch (error) {
        // Node.js also reports "not a directory" for a folder that is removed meanwhile. A file with this name stays.
        if (codeOf(error) === "ENOENT" || (codeOf(error) === "ENOTDIR" && attempt < 100)) await stat(folder);
        else if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) await this.#setAside(place);
        else throw error;
      }
    }
  }

  /**
   * Syncs the new name and the names of all parent folders, which may be new too. If a parent is being removed, the
   * folder was removed with it, as if it had been published earlier.
   */
  async #syncAbove(place: string): Promise<void> {
    for (let folder = place; folder !== this.#root; ) {
      folder = path.dirname(folder);
      await syncFolder(folder).catch(nothingIfAbsent(undefined));
    }
  }

  /** Hides a folder from readers before its files are deleted. Needs no disk space, so it also works on a full disk. */
  async #setAside(place: string): Promise<void> {
    const aside = this.#newName();
    try {
      if ((await stat(place).catch(nothingIfAbsent(null))) === null) return;
      await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
      await rename(place, aside).catch(nothingIfAbsent(undefined));
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #newTemporary(): Promise<string> {
    const folder = this.#newName();
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    // The first folder of a store has new parent folders too.
    if (made !== folder) await syncFolder(path.dirname(made!));
    return folder;
  }

  #newName(): string {
    return path.join(this.#temporary, randomBytes(9).toString("hex"));
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

const nothingIfAbsent =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (isAbsent(error)) return nothing;
    throw error;
  };

/** Returns the last write to the folder or its files, in epoch milliseconds; the current time if it is removed. */
async function lastWrite(folder: string): Promise<number> {
  const names = await readdir(folder).catch(nothingIfAbsent<string[]>([]));
  const times = await Promise.all(
    [folder, ...names.map((name) => path.join(folder, name))].map((file) =>
      stat(file).then(({ mtimeMs }) => mtimeMs, nothingIfAbsent(Date.now())),
    ),
  );
  return Math.max(...times);
}
