import type { Readable } from "node:stream";

/** Of a file that is to be stored: all of it at once, or as it comes. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Bytes from `start` up to, not including, `end`; at least one. */
export type ByteRange = { start: number; end: number };

export type ManifestEntry = { bytes: number; sha256: string };

/** What a folder holds: file name → size and SHA-256 in hexadecimal. Written last, kept in it as `MANIFEST.json`. */
export type Manifest = { version: 1; files: Record<string, ManifestEntry> };

/**
 * Folders of files that are published whole or not at all. A key is a path of segments of `a-z`, `0-9`, `_` and `-`
 * (`projects/<id>/models/<id>`); no published folder may lie inside another one. File names are one path segment.
 */
export interface ArtifactStore {
  /**
   * Publishes a folder under the key; one that is there already (a job that runs again) is replaced. Files are written one
   * after the other, in the order of the map. Where a file's content breaks off, nothing is published.
   */
  writeFolder(key: string, files: ReadonlyMap<string, Content>): Promise<Manifest>;

  /**
   * Publishes a folder with one file, `content`, from a stream.
   *
   * @throws {ArtifactTooLargeError} as soon as more than `limitBytes` have come; nothing is published then
   */
  writeStream(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: { limitBytes: number },
  ): Promise<ManifestEntry>;

  /** @throws {ArtifactNotFoundError} */
  readFile(key: string, name: string): Promise<Buffer>;

  /**
   * @param range a part of the file, which has to lie in it
   * @throws {ArtifactNotFoundError} before a stream is given, never from it
   */
  openRead(key: string, name: string, range?: ByteRange): Promise<Readable>;

  /** @throws {ArtifactNotFoundError} */
  readManifest(key: string): Promise<Manifest>;

  /** Removes the folder and every folder below the key; none there is no error. */
  deleteFolder(key: string): Promise<void>;

  /** Keys of the published folders at or below a key, as they are found, in no order; of all folders for "". */
  eachFolder(prefix: string): AsyncIterable<string>;

  /** The same, sorted. */
  listFolders(prefix: string): Promise<string[]>;

  exists(key: string): Promise<boolean>;

  /** Removes what killed processes left half-written, where nothing was written for that long. */
  removeLeftovers(options: { olderThanMs: number }): Promise<number>;
}

/** Name of the one file that `writeStream` publishes. */
export const streamFileName = "content";

export const manifestFileName = "MANIFEST.json";
