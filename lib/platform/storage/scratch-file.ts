import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import { environment } from "#lib/platform/config/environment";

const CHUNK_BYTES = 1 << 18;

/**
 * Bytes of a request outside of memory, for the duration of the request. A small file stays in memory. A larger one is on
 * disk without a name, except for its end. So nothing remains after its disposal or the end of the process.
 */
export class ScratchFile implements AsyncDisposable {
  readonly #memoryBytes: number;
  /** End of the file that is not on disk yet, at most `memoryBytes`. */
  #chunks: Uint8Array[] = [];
  #handle: FileHandle | null = null;
  #diskBytes = 0;
  #bytes = 0;

  /** @param memoryBytes number of bytes that stay in memory */
  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Appends a chunk, which must not change afterwards. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    // Writes large blocks. A write for each chunk of the network takes far longer.
    if (this.#bytes - this.#diskBytes > this.#memoryBytes) await this.#moveToDisk();
  }

  async #moveToDisk(): Promise<void> {
    const content = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#handle ??= await nameless();
    await this.#handle.writeFile(content);
    this.#diskBytes += content.length;
  }

  /** Reads the file from its start. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; position < this.#diskBytes; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, this.#diskBytes - position));
      const bytesRead = await this.#readInto(chunk, position);
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
    yield* this.#chunks;
  }

  /** Returns the whole content in memory. */
  async whole(): Promise<Buffer> {
    const whole = Buffer.allocUnsafeSlow(this.#bytes);
    let position = 0;
    while (position < this.#diskBytes) {
      position += await this.#readInto(whole.subarray(position, this.#diskBytes), position);
    }
    for (const chunk of this.#chunks) {
      whole.set(chunk, position);
      position += chunk.length;
    }
    return whole;
  }

  async #readInto(chunk: Uint8Array, position: number): Promise<number> {
    const { bytesRead } = await this.#handle!.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error("A scratch file is shorter than its written content.");
    return bytesRead;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#chunks = [];
    await this.#handle?.close();
  }
}

/** Opens a file in the data folder, because the system's temporary folder may be small or in memory. */
async function nameless(): Promise<FileHandle> {
  const folder = path.join(environment().dataDir, "scratch");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, randomUUID());
  const handle = await open(file, "wx+", 0o600);
  await unlink(file);
  return handle;
}
