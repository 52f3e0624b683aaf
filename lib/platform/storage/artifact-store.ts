import type { Readable } from "node:stream";
import { checkFileName } from "./artifact-key.ts";

/** Content of a file to store: a buffer or a stream. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes from `start` up to, not including, `end`; at least one. */
export type ByteRange = { start: number; end: number };

export type ManifestEntry = { bytes: number; sha256: string };

/** Files of a folder: name → size and SHA-256 in hexadecimal. Written last, as `MANIFEST.json` in the folder. */
export type Manifest = { version: 1; files: Entries };

export type Entries = Record<string, ManifestEntry>;

/**
 * Store of folders. A folder is published completely or not at all. A key is a path of segments of `a-z`, `0-9`, `_`
 * and `-` (`projects/<id>/models/<id>`); no published folder may lie inside another one. File names are one path
 * segment.
 */
export abstract class ArtifactStore {
  /**
   * Publishes a folder under the key and replaces an existing one (a retried job). Writes files one at a time, in the
   * order of the map. If the content of a file breaks off, nothing is published.
   */
  async writeFolder(key: string, files: ReadonlyMap<string, Content>): Promise<Manifest> {
    for (const name of files.keys()) checkFileName(name);
    return this.publish(key, async (folder) => {
      const entries: Entries = {};
      for (const [name, content] of files) entries[name] = await this.write(`${folder}/${name}`, content);
      return entries;
    });
  }

  /**
   * Publishes a folder with one file, `content`, from a stream.
   *
   * @throws {ArtifactTooLargeError} as soon as the stream exceeds `limitBytes`; nothing is published then
   */
  async writeStream(
    key: string,
    source: AsyncIterable<Uint8Array>,
    { limitBytes }: { limitBytes: number },
  ): Promise<ManifestEntry> {
    const { files } = await this.publish(key, async (folder) => ({
      [streamFileName]: await this.write(`${folder}/${streamFileName}`, source, limitBytes),
    }));
    return files[streamFileName]!;
  }

  /** @throws {ArtifactNotFoundError} */
  abstract readFile(key: string, name: string): Promise<Buffer>;

  /**
   * @param range part of the file; must lie within it
   * @throws {ArtifactNotFoundError} before the stream is returned, never from the stream
   */
  abstract openRead(key: string, name: string, range?: ByteRange): Promise<Readable>;

  /** @throws {ArtifactNotFoundError | ArtifactDamagedError} */
  abstract readManifest(key: string): Promise<Manifest>;

  /** Deletes the folder and every folder below the key. Absent folders are no error. */
  abstract deleteFolder(key: string): Promise<void>;

  /** Iterates over the keys of published folders at or below a key, unsorted. "" selects all folders. */
  abstract eachFolder(prefix: string): AsyncIterable<string>;

  /** Returns the keys of `eachFolder`, sorted. */
  async listFolders(prefix: string): Promise<string[]> {
    return (await Array.fromAsync(this.eachFolder(prefix))).sort();
  }

  abstract exists(key: string): Promise<boolean>;

  /** Deletes unpublished files of killed processes, if they were last written before a time. Returns their number. */
  abstract removeLeftovers(before: Date): Promise<number>;

  /** Publishes the files that `write` writes below `folder`. If `write` fails, nothing is published. */
  protected abstract publish(key: string, write: (folder: string) => Promise<Entries>): Promise<Manifest>;

  /** @throws {ArtifactTooLargeError} as soon as the content exceeds `limitBytes` */
  protected abstract write(place: string, content: Content, limitBytes?: number): Promise<ManifestEntry>;
}

/** Name of the one file that `writeStream` publishes. */
export const streamFileName = "content";
