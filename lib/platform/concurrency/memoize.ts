/** Memoizes an asynchronous result by key. Concurrent calls share one computation. */
export function memoize<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let made = memory.get(key);
  if (made === undefined) {
    made = make();
    memory.set(key, made);
  }
  return made;
}
