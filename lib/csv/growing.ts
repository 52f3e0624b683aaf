const FIRST_LENGTH = 64;

/** A Float64Array of which the length is not known before. */
export class GrowingFloats {
  length = 0;
  #values = new Float64Array(FIRST_LENGTH);

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = new Float64Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    this.#values[this.length++] = value;
  }

  /** The value pushed last. */
  last(): number {
    return this.#values[this.length - 1]!;
  }

  /** What was pushed, in an array of just that length. Nothing may be pushed after it. */
  take(): Float64Array {
    return new Float64Array(this.#values.buffer.transfer(this.length * Float64Array.BYTES_PER_ELEMENT));
  }
}

/** An Int32Array of which the length is not known before. */
export class GrowingInts {
  length = 0;
  #values = new Int32Array(FIRST_LENGTH);

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = new Int32Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    this.#values[this.length++] = value;
  }

  /** What was pushed, in an array of just that length. Nothing may be pushed after it. */
  take(): Int32Array {
    return new Int32Array(this.#values.buffer.transfer(this.length * Int32Array.BYTES_PER_ELEMENT));
  }
}
