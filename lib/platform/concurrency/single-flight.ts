type Asked<T> = { ended: Promise<void>; next: Promise<T> | null };

/**
 * Lets those who ask the same at the same time share an answer. Nobody gets one that was asked for before he came, so
 * that each sees whatever was changed before: who comes while others are answered shares the next question with all who
 * come until then.
 */
export class AskedTogether<T> {
  readonly #asked = new Map<string, Asked<T>>();

  /** @param question the same for the same key, whoever asks */
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
