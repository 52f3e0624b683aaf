import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import { environment } from "#lib/config/environment";

const CHUNK_BYTES = 1 << 18;

/**
 * Bytes of a request, kept out of memory while the request lasts. A small file stays in memory; a larger one is on disk
 * without a name, so that nothing is left of it once it is disposed of or the process has ended, in whatever way.
 */
export class ScratchFile implements AsyncDisposable {
  readonly #memoryBytes: number;
  #chunks: Uint8Array[] = [];
  #handle: FileHandle | null = null;
  #bytes = 0;

  /** @param memoryBytes up to which size it stays in memory */
  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds to its end; the chunk must not change afterwards. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.byteLength;
    if (this.#handle === null && this.#bytes <= this.#memoryBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#handle ??= await nameless();
    for (const kept of this.#chunks.splice(0)) await this.#handle.writeFile(kept);
    await this.#handle.writeFile(chunk);
  }

  /** Reads it from its start. */
  async *read(): AsyncGenerator<Uint8Array> {
    yield* this.#chunks;
    if (this.#handle === null) return;
    for (let position = 0; position < this.#bytes; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, this.#bytes - position));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) throw new Error("A scratch file is shorter than what was written to it.");
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#chunks = [];
    await this.#handle?.close();
  }
}

/** Beside the database and not in the system's folder for such things, which may be in memory or small. */
async function nameless(): Promise<FileHandle> {
  const folder = path.join(environment().dataDir, "scratch");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, randomUUID());
  const handle = await open(file, "wx+", 0o600);
  await unlink(file);
  return handle;
}
