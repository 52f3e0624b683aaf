/**
 * Caches results that are expensive and never change. Evicts the least recently used entry. Concurrent callers of a key
 * share one call.
 */
export class LruCache<T> {
  readonly #max: number;
  readonly #kept = new Map<string, Promise<T>>();

  /** @param max number of entries */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @param key identifies everything that the result depends on
   * @param make called synchronously on a cache miss; a failure is not cached
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
