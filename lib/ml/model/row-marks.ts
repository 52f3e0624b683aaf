/** Some of many rows, counted from 0: a bit for each. */
export class RowMarks {
  readonly #bits: Uint8Array;

  constructor(rowCount: number) {
    this.#bits = new Uint8Array(Math.ceil(rowCount / 8));
  }

  add(row: number): void {
    this.#bits[row >> 3]! |= 1 << (row & 7);
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3]! >> (row & 7)) & 1) === 1;
  }
}
