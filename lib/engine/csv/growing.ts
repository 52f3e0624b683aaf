const FIRST_LENGTH = 64;

/** A Float64Array that grows as values are added. */
export class GrowingFloats {
  length = 0;
  #taken = 0;
  #values = new Float64Array(FIRST_LENGTH);

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = new Float64Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    this.#values[this.length++] = value;
  }

  /** Returns the value added last. */
  last(): number {
    return this.#values[this.length - 1]!;
  }

  /** Number of values added in total. */
  get total(): number {
    return this.#taken + this.length;
  }

  /** Returns the values added since the last call, in an array of exactly that length. */
  take(): Float64Array {
    const { buffer } = this.#values;
    const taken = new Float64Array(buffer.transfer(this.length * Float64Array.BYTES_PER_ELEMENT));
    this.#values = new Float64Array(Math.max(FIRST_LENGTH, this.length)); // Expects as many again.
    this.#taken += this.length;
    this.length = 0;
    return taken;
  }
}

/** An Int32Array that grows as values are added. */
export class GrowingInts {
  length = 0;
  #taken = 0;
  #values = new Int32Array(FIRST_LENGTH);

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = new Int32Array(this.#values.buffer.transfer(this.#values.byteLength * 2));
    }
    this.#values[this.length++] = value;
  }

  /** Number of values added in total. */
  get total(): number {
    return this.#taken + this.length;
  }

  /** Returns the values added since the last call, in an array of exactly that length. */
  take(): Int32Array {
    const { buffer } = this.#values;
    const taken = new Int32Array(buffer.transfer(this.length * Int32Array.BYTES_PER_ELEMENT));
    this.#values = new Int32Array(Math.max(FIRST_LENGTH, this.length)); // Expects as many again.
    this.#taken += this.length;
    this.length = 0;
    return taken;
  }
}
