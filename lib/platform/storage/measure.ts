import { createHash } from "node:crypto";
import type { ManifestEntry } from "./artifact-store.ts";
import { ArtifactTooLargeError } from "./storage-errors.ts";

/** Measures a stream. `entry` is valid after the last byte. */
export class Measure {
  readonly #hash = createHash("sha256");
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes = Number.POSITIVE_INFINITY) {
    this.#limitBytes = limitBytes;
  }

  /** @throws {ArtifactTooLargeError} as soon as the stream exceeds the limit */
  async *pass(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > this.#limitBytes) throw new ArtifactTooLargeError(this.#limitBytes);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Returns size and SHA-256. Call it once. */
  entry(): ManifestEntry {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** Reads a stream to its end, only to measure it. */
export async function measured(source: AsyncIterable<Uint8Array>): Promise<ManifestEntry> {
  const measure = new Measure();
  for await (const _ of measure.pass(source));
  return measure.entry();
}
