type Asked<T> = { ended: Promise<void>; next: Promise<T> | null };

/**
 * Shares one call among concurrent callers of the same key. Callers that arrive during a call share the next call. So
 * no caller gets a result requested before its own call, and each result includes all earlier changes.
 */
export class SingleFlight<T> {
  readonly #asked = new Map<string, Asked<T>>();

  /** @param question identical for all callers of the key */
  ask(key: string, question: () => Promise<T>): Promise<T> {
    const current = this.#asked.get(key);
    if (current === undefined) return this.#begin(key, question);
    current.next ??= current.ended.then(() => this.#begin(key, question));
    return current.next;
  }

  #begin(key: string, question: () => Promise<T>): Promise<T> {
    const answer = question();
    const ended = answer.then(
      () => {},
      () => {},
    );
    const asked: Asked<T> = { ended, next: null };
    this.#asked.set(key, asked);
    void ended.then(() => {
      if (asked.next === null) this.#asked.delete(key);
    });
    return answer;
  }
}

/** Memoizes an asynchronous result by key. Concurrent calls share one computation. */
export function memoize<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let made = memory.get(key);
  if (made === undefined) {
    made = make();
    memory.set(key, made);
  }
  return made;
}
