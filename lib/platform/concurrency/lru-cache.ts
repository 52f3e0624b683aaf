/** Adds to the weight of the entry that is being made. May be called again later, if the entry grows. */
export type Weigh = (weight: number) => void;

type Entry<T> = { result: Promise<T>; weight: number; isKept: boolean };

/**
 * Caches results that are expensive and never change. Evicts the least recently used entries. Concurrent callers of a key
 * share one call.
 */
export class LruCache<T> {
  readonly #max: number;
  readonly #weightMax: number;
  readonly #kept = new Map<string, Entry<T>>();
  /** Total weight of the kept entries. Summing it on each call would make a hit as slow as the cache is large. */
  #weight = 0;

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
    const known = kept.get(key);
    const entry = known ?? this.#begin(make);
    kept.delete(key);
    kept.set(key, entry);
    if (known === undefined) {
      entry.isKept = true;
      this.#weight += entry.weight;
      this.#evict();
    }
    try {
      return await entry.result;
    } catch (error) {
      if (kept.get(key) === entry) this.#remove(key, entry);
      throw error;
    }
  }

  #begin(make: (weigh: Weigh) => Promise<T>): Entry<T> {
    const entry = { weight: 0, isKept: false };
    const result = make((weight) => {
      entry.weight += weight;
      if (!entry.isKept) return;
      this.#weight += weight;
      this.#evict();
    });
    return Object.assign(entry, { result });
  }

  #remove(key: string, entry: Entry<T>): void {
    this.#kept.delete(key);
    entry.isKept = false;
    this.#weight -= entry.weight;
  }

  #evict(): void {
    const kept = this.#kept;
    for (const [key, entry] of kept) {
      if (kept.size <= this.#max && (this.#weight <= this.#weightMax || kept.size <= 1)) return;
      this.#remove(key, entry);
    }
  }
}
