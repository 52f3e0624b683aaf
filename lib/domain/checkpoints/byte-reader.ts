/** Thrown if the stream ends before the requested number of bytes. */
export class EndOfBytes extends Error {
  override readonly name = "EndOfBytes";
}

/** Reads a stream by counted bytes. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#source =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** Yields the next `bytes` bytes in pieces of any size. @throws {EndOfBytes} */
  async *pieces(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (!(await this.#fill())) throw new EndOfBytes();
      const piece = this.#take(left);
      left -= piece.length;
      yield piece;
    }
  }

  /** Returns the next `bytes` bytes. @throws {EndOfBytes} */
  async exactly(bytes: number): Promise<Buffer> {
    const chunk = await this.atMost(bytes);
    if (chunk.length < bytes) throw new EndOfBytes();
    return chunk;
  }

  /** Returns the next `bytes` bytes, or fewer at the end of the stream. */
  async atMost(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = bytes; left > 0 && (await this.#fill()); ) {
      const piece = this.#take(left);
      parts.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(parts);
  }

  /** Returns whether the stream has no more bytes. */
  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Cancels the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(most: number): Uint8Array {
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }
}
