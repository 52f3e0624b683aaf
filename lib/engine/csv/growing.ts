/** Bytes reserved for the first values. */
const FIRST_BYTES = 512;

type Values = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;
type ArrayOf<T> = new (buffer: ArrayBuffer) => T;

/** A typed array that grows as values are added. */
export class Growing<T extends Values> {
  length = 0;
  #taken = 0;
  readonly #type: ArrayOf<T>;
  #values: Values;

  constructor(type: ArrayOf<T>) {
    this.#type = type;
    this.#values = new type(new ArrayBuffer(FIRST_BYTES));
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = new this.#type(this.#values.buffer.transfer(this.#values.byteLength * 2));
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

  /** Returns the values added since the last call of `take`, without taking them. Valid until the next value. */
  view(): T {
    return this.#values.subarray(0, this.length) as T;
  }

  /** Returns the values added since the last call, in an array of exactly that length. */
  take(): T {
    const bytes = this.length * this.#values.BYTES_PER_ELEMENT;
    const taken = new this.#type(this.#values.buffer.transfer(bytes));
    this.#values = new this.#type(new ArrayBuffer(Math.max(FIRST_BYTES, bytes))); // Expects as many again.
    this.#taken += this.length;
    this.length = 0;
    return taken;
  }
}
