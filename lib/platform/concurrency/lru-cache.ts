/**
 * What takes long to make and never changes, kept for those who ask for the same again; what nobody has asked for the
 * longest goes first. Who asks while it is made waits for it with the others.
 */
export class Remembered<T> {
  readonly #max: number;
  readonly #kept = new Map<string, Promise<T>>();

  /** @param max how many are kept */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param key names all that the result depends on
   * @param make is called at once where nothing is kept under the key; of a failure nothing is kept
   */
  async get(key: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#kept;
    const result = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, result);
    if (kept.size > this.#max) kept.delete(kept.keys().next().value!);
    try {
      return await result;
    } catch (error) {
      if (kept.get(key) === result) kept.delete(key);
      throw error;
    }
  }
}
