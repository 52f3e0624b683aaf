/** Limits calls per second. Starts a new count with each second of the clock. */
export class RatePerSecond {
  readonly #limit: number;
  #second = 0;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  allows(): boolean {
    const second = Math.floor(Date.now() / 1000);
    this.#count = second === this.#second ? this.#count + 1 : 1;
    this.#second = second;
    return this.#count <= this.#limit;
  }
}
