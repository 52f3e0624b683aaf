import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";
import { environment } from "#lib/platform/config/environment";

const CHUNK_BYTES = 1 << 18;

/**
 * Bytes of a request, kept out of memory while the request lasts. A small file stays in memory; of a larger one all but
 * its end is on disk without a name, so nothing remains after its disposal or the end of the process.
 */
export class ScratchFile implements AsyncDisposable {
  readonly #memoryBytes: number;
  /** The end of it, at most so many bytes. */
  #chunks: Uint8Array[] = [];
  #handle: FileHandle | null = null;
  #diskBytes = 0;
  #bytes = 0;

  /** @param memoryBytes how much of it stays in memory */
  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds to its end; the chunk must not change afterwards. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    // Much at once: a write for each piece that the network brings takes far longer.
    if (this.#bytes - this.#diskBytes > this.#memoryBytes) await this.#moveToDisk();
  }

  async #moveToDisk(): Promise<void> {
    const content = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#handle ??= await nameless();
    await this.#handle.writeFile(content);
    this.#diskBytes += content.length;
  }

  /** Reads it from its start. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; position < this.#diskBytes; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, this.#diskBytes - position));
      const bytesRead = await this.#readInto(chunk, position);
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
    yield* this.#chunks;
  }

  /** All of it at once, for those who need it in memory. */
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
    if (bytesRead === 0) throw new Error("A scratch file is shorter than what was written to it.");
    return bytesRead;
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
