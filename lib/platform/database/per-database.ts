import type { Database } from "#db/client";
import { perProcess } from "#lib/platform/process/per-process";

/**
 * Returns a function that returns this process's single object of a kind for a database. The first call creates the
 * object.
 */
export function perDatabase<T>(kind: string, make: (db: Database) => T): (db: Database) => T {
  const objectsOfKind = perProcess(`${kind} of databases`, () => new WeakMap<Database, T>());
  return (db) => {
    const objects = objectsOfKind();
    if (!objects.has(db)) objects.set(db, make(db));
    return objects.get(db) as T;
  };
}
