/** Adds to the weight of the entry that is being made. May be called again later, if the entry grows. */
export type Weigh = (weight: number) => void;

type Entry<T> = { result: Promise<T>; weight: number };

/**
 * Caches results that are expensive and never change. Evicts the least recently used entries. Concurrent callers of a key
 * share one call.
 */
export class LruCache<T> {
  readonly #max: number;
  readonly #weightMax: number;
  readonly #kept = new Map<string, Entry<T>>();

  /**
   * @param max number of entries
   * @param weightMax total weight of the entries. The entry used last always stays
   */
  constructor(max: number, weightMax = Number.POSITIVE_INFINITY) {
    this.#max = max;
    this.#weightMax = weightMax;
  }

  /**
   * @param key identifies everything that the result depends on
   * @param make called synchronously on a cache miss; a failure is not cached
   */
  async get(key: string, make: (weigh: Weigh) => Promise<T>): Promise<T> {
    const kept = this.#kept;
    const entry = kept.get(key) ?? this.#begin(make);
    kept.delete(key);
    kept.set(key, entry);
    this.#evict();
    try {
      return await entry.result;
    } catch (error) {
      if (kept.get(key) === entry) kept.delete(key);
      throw error;
    }
  }

  #begin(make: (weigh: Weigh) => Promise<T>): Entry<T> {
    const entry: Omit<Entry<T>, "result"> = { weight: 0 };
    const result = make((weight) => {
      entry.weight += weight;
      this.#evict();
    });
    return Object.assign(entry, { result });
  }

  #evict(): void {
    const kept = this.#kept;
    let weight = 0;
    for (const entry of kept.values()) weight += entry.weight;
    for (const [key, entry] of kept) {
      if (kept.size <= this.#max && (weight <= this.#weightMax || kept.size <= 1)) return;
      kept.delete(key);
      weight -= entry.weight;
    }
  }
}
