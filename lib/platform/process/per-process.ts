/**
 * Returns a function that returns this process's single object of a name. The first call creates the object. It is
 * stored on `globalThis`, because the web process loads modules twice: in the bundles of Next.js and from the sources.
 */
export function perProcess<T>(name: string, make: () => T): () => T {
  const objects = globalThis as unknown as Record<string, T | undefined>;
  return () => (objects[name] ??= make());
}
