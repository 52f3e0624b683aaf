import { createHash } from "node:crypto";
import type { ManifestEntry } from "./artifact-store.ts";
import { ArtifactTooLargeError } from "./storage-errors.ts";

/** Measures what passes through: `entry` is right once all of it has come. */
export class Measure {
  readonly #hash = createHash("sha256");
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes = Number.POSITIVE_INFINITY) {
    this.#limitBytes = limitBytes;
  }

  /** @throws {ArtifactTooLargeError} once more than the limit has come */
  async *pass(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > this.#limitBytes) throw new ArtifactTooLargeError(this.#limitBytes);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** To be asked once. */
  entry(): ManifestEntry {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
