/** What is being made for a key is made once, also for those who ask before it is there. */
export function remembered<T>(
  memory: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  let made = memory.get(key);
  if (made === undefined) {
    made = make();
    memory.set(key, made);
  }
  return made;
}
